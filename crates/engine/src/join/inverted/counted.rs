//! Which sets count where elements are weighed.

/// Which sets count where others are compared with a reference side. What is common is what is common there: text that one
/// reference has is rare, however many copies of it the other side has. All sets of the other side count once.
#[derive(Debug)]
pub struct Counted {
    /// For each set, by rank, whether it is on the reference side.
    pub(crate) is_reference: Vec<bool>,
}

impl Counted {
    /// Returns how many of some sets count.
    pub(crate) fn frequency(&self, sets: impl ExactSizeIterator<Item = u32>) -> u32 {
        let all = sets.len();
        let references = sets.filter(|&set| self.is_reference[set as usize]).count();
        let counted = references + usize::from(references < all);
        u32::try_from(counted).expect("sets are numbered by 32 bits")
    }
}
