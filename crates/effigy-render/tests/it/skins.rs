//! Skins and capes: the files that are read, and their texels.

mod capes;
mod decode;
mod field_files;
