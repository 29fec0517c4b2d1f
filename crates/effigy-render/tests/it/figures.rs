//! Figures: their poses, and limbs that bend.

mod bends;
mod poses;
