//! Codes of a fixed number of bits.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A code of [`Self::COUNT`] bits.
pub trait Bits:
    Copy
    + Ord
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// How many bits a code has.
    const COUNT: u32;

    /// None of the bits set.
    const NONE: Self;

    /// All bits set.
    const ALL: Self;

    /// How many bits are set.
    fn ones(self) -> u32;

    /// Returns the code with one bit set, at a position below [`Self::COUNT`].
    fn bit(at: u32) -> Self;
}

macro_rules! bits {
    ($type:ty) => {
        impl Bits for $type {
            const COUNT: u32 = Self::BITS;
            const NONE: Self = 0;
            const ALL: Self = Self::MAX;

            #[inline]
            fn ones(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn bit(at: u32) -> Self {
                1 << at
            }
        }
    };
}

bits!(u64);
bits!(u128);
