//! The place of the files of pictures, by `--output` and what exists there.

use std::path::{Path, PathBuf};

use effigy_render::ImageFormat;

use super::format::{extension, unusable_output};
use super::{FileNames, RenderArgs};
use crate::UsageError;

/// The output that means standard output.
const STANDARD_OUTPUT: &str = "-";

const NO_FOLDER: &str = "is not a folder, which several pictures need; to draw several players in \
                         one picture, use `effigy render group` or `effigy render sheet`";

/// The kind of file that exists at the path of `--output`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// No file.
    Nothing,
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A device, such as `/dev/null`.
    Device,
}

/// The file of a single picture.
#[derive(Debug)]
pub struct OutputFile {
    /// The place of the file.
    pub place: Place,
    /// The format of the file.
    pub format: ImageFormat,
}

/// The place of a single file.
#[derive(Debug)]
pub enum Place {
    /// Standard output.
    StandardOutput,
    /// A file with this path.
    File(PathBuf),
    /// A folder, and the template for the name of the file.
    Folder(PathBuf, FileNames),
}

impl RenderArgs {
    /// Returns the file of a single picture.
    ///
    /// # Errors
    /// If the extension does not fit the picture, or if `--file-name` is given although the output
    /// is a file.
    pub fn output_file(&self, existing: Existing) -> Result<OutputFile, UsageError> {
        // By default, the file is in the current folder.
        let output = self.output.as_deref().unwrap_or(Path::new(""));
        let output_text = output.to_string_lossy();
        if existing == Existing::Folder || output_text.is_empty() || output_text.ends_with('/') {
            let format = self.chosen_format();
            let names = self.file_names(format);
            let place = Place::Folder(output.to_owned(), names);
            return Ok(OutputFile { place, format });
        }
        if self.file_name.is_some() {
            let problem = "is a file, so --file-name cannot name it; end a folder in /";
            return Err(unusable_output(output, problem));
        }
        let format = self
            .format_of_output()
            .map_err(|problem| unusable_output(output, problem))?;
        if output == STANDARD_OUTPUT {
            let place = Place::StandardOutput;
            return Ok(OutputFile { place, format });
        }
        let mut file = output.to_owned();
        if file.extension().is_none() && existing != Existing::Device {
            file.set_extension(self.extension_of(format));
        }
        let place = Place::File(file);
        Ok(OutputFile { place, format })
    }

    /// Returns the folder for a picture of each input, and the format of the pictures.
    ///
    /// # Errors
    /// If the output is a file or a device.
    pub fn output_folder(&self, existing: Existing) -> Result<(&Path, ImageFormat), UsageError> {
        let folder = self.output.as_deref().unwrap_or(Path::new("."));
        let has_extension = matches!(&*extension(folder), "png" | "svg" | "apng" | "gif");
        let is_standard_output = folder == STANDARD_OUTPUT;
        let is_file = match existing {
            Existing::Folder => false,
            Existing::File | Existing::Device => true,
            Existing::Nothing => has_extension || is_standard_output,
        };
        if is_file {
            return Err(unusable_output(folder, NO_FOLDER));
        }
        Ok((folder, self.chosen_format()))
    }
}

#[cfg(test)]
mod tests;
