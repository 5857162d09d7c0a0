//! Joins for tests and benches. Tests compare the joins of the program with them, and benches measure them. The program
//! does not use them.

pub mod exhaustive;
pub mod joined;

use crate::join::weighted::Weighted;

/// Two codes within the requested distance: positions `a < b` in the input and their distance in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HammingPair {
    /// Position of the first code.
    pub a: u32,
    /// Position of the second code.
    pub b: u32,
    /// In how many bits they differ.
    pub distance: u32,
}

/// Two signatures that agree in enough places: positions `a < b` in the input and in how many they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgreementPair {
    /// Position of the first signature.
    pub a: u32,
    /// Position of the second signature.
    pub b: u32,
    /// In how many places both have the same value.
    pub agreeing: u32,
}

/// Two sets that share enough weight: positions `a < b` in the input and their weighted measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WeightedPair {
    /// Position of the first set.
    pub a: u32,
    /// Position of the second set.
    pub b: u32,
    /// The weighted measures.
    pub weighted: Weighted,
}
