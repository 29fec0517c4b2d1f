//! Pixels: exact properties, golden pictures, and the likeness with an ideal picture.

mod exactness;
mod goldens;
mod oracle;
mod seams;
