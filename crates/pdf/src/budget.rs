//! How much a file may cost.

use crate::Refusal;

/// The work that may still be spent on a file. It does not depend on the machine, so that each machine reads the same
/// text.
#[derive(Debug)]
pub(crate) struct Budget {
    steps: u64,
    text: u64,
}

impl Budget {
    /// How many steps a whole file may need: reading an operator is one. A book of 1,000 pages needs some 15 million.
    const STEPS: u64 = if cfg!(test) { 400_000 } else { 80_000_000 };

    /// How many steps a glyph, a form and a page need.
    pub(crate) const GLYPH: u64 = 4;
    pub(crate) const FORM: u64 = 200;
    pub(crate) const PAGE: u64 = 1_000;

    /// How many bytes of content cost as much as a step.
    const BYTES_OF_STEP: u64 = 16;

    /// Returns the budget of a file whose text may have so many bytes.
    pub(crate) fn new(text: u64) -> Self {
        Self {
            steps: Self::STEPS,
            text,
        }
    }

    /// Spends so many steps.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Refusal> {
        self.steps = self.steps.checked_sub(steps).ok_or(Refusal::TooMuch)?;
        Ok(())
    }

    /// Spends the cost of expanding content of so many bytes, and so many steps.
    pub(crate) fn spend_content(&mut self, bytes: usize, steps: u64) -> Result<(), Refusal> {
        self.spend(steps + bytes as u64 / Self::BYTES_OF_STEP)
    }

    /// Spends so many bytes of text.
    pub(crate) fn spend_text(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.text = self
            .text
            .checked_sub(bytes as u64)
            .ok_or(Refusal::TooLarge)?;
        Ok(())
    }
}
