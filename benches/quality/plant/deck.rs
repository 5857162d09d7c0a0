//! Deals pages, so that as many copies as can be are of different pages.

use super::random::Random;

/// Pages in random order.
#[derive(Debug)]
pub(crate) struct Deck {
    /// Those that wait, the next one last.
    left: Vec<usize>,
    count: usize,
}

impl Deck {
    /// Takes how many pages there are.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            left: Vec::new(),
            count,
        }
    }

    /// The next page that will do; no page again before all have been dealt, but where none of those
    /// left will do.
    pub(crate) fn deal(
        &mut self,
        random: &mut Random,
        will_do: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let waiting = |left: &[usize]| left.iter().rposition(|&page| will_do(page));
        if waiting(&self.left).is_none() {
            if !(0..self.count).any(&will_do) {
                return None;
            }
            let mut all: Vec<usize> = (0..self.count).collect();
            random.shuffle(&mut all);
            // Those that still wait stay next.
            self.left.splice(0..0, all);
        }
        waiting(&self.left).map(|at| self.left.remove(at))
    }
}
