//! The files of pictures: their formats, names and folders.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io, process};

use anyhow::{Context, Result, ensure};
use effigy_cli::{FileNameTemplate, RenderArgs};
use effigy_render::ImageFormat;
use effigy_upstream::ConfigError;

use super::inputs::{Input, extension, stem};

/// The output that means standard output.
const STANDARD_OUTPUT: &str = "-";

const NO_FOLDER: &str = "is not a folder, which several pictures need; `effigy render group` \
                         draws several players in one picture";

/// The output of a single picture.
pub(super) struct Output {
    pub(super) place: Place,
    pub(super) format: ImageFormat,
    pub(super) names: FileNames,
}

/// The place of a single picture.
pub(super) enum Place {
    Standard,
    File(PathBuf),
    /// A folder, in which the file has a name of its own.
    Folder(PathBuf),
}

/// The names of files that the command chooses.
pub(super) struct FileNames {
    template: FileNameTemplate,
    view: String,
    pub(super) format: ImageFormat,
    extension: &'static str,
}

/// The inputs of each file. Several of one file are a collision.
pub(super) type PlannedFiles<'a> = Vec<(PathBuf, Vec<&'a Input>)>;

impl Output {
    /// The output of a command that draws one picture.
    pub(super) fn of_one(args: &RenderArgs) -> Result<Self, ConfigError> {
        // Without a name, the file is in the current folder.
        let output = args.output.as_deref().unwrap_or(Path::new(""));
        let name = output.to_string_lossy();
        if output.is_dir() || name.is_empty() || name.ends_with('/') {
            let names = FileNames::new(args)?;
            return Ok(Self {
                place: Place::Folder(output.to_owned()),
                format: names.format,
                names,
            });
        }
        if args.file_name.is_some() {
            let problem = "is a file, which --file-name doesn't name: end a folder in /";
            return Err(unusable(output, problem));
        }
        let format = format(args, Some(output))?;
        let names = FileNames::of_format(args, format);
        let place = if name == STANDARD_OUTPUT {
            Place::Standard
        } else {
            Place::File(with_extension(output, names.extension))
        };
        Ok(Self {
            place,
            format,
            names,
        })
    }
}

impl FileNames {
    fn new(args: &RenderArgs) -> Result<Self, ConfigError> {
        Ok(Self::of_format(args, format(args, None)?))
    }

    fn of_format(args: &RenderArgs, format: ImageFormat) -> Self {
        let extension = match format {
            ImageFormat::Png if args.motion().is_some() => "apng",
            _ => format.as_str(),
        };
        Self {
            template: args.file_names(),
            view: args.picture.clone(),
            format,
            extension,
        }
    }

    /// Returns the name of the file of an input's picture.
    pub(super) fn of(&self, input: &str) -> String {
        self.template
            .file_name(&stem(input), &self.view, self.extension)
    }
}

/// Returns the folder for a picture of each input, and the names of files in it.
pub(super) fn folder_of_each(args: &RenderArgs) -> Result<(&Path, FileNames), ConfigError> {
    let folder = args.output.as_deref().unwrap_or(Path::new("."));
    let has_extension = matches!(&*extension(folder), "png" | "svg" | "apng" | "gif");
    let is_file = folder.is_file() || has_extension || folder == STANDARD_OUTPUT;
    if is_file && !folder.is_dir() {
        return Err(unusable(folder, NO_FOLDER));
    }
    Ok((folder, FileNames::new(args)?))
}

/// Returns the files of all inputs, in the order of their paths.
pub(super) fn planned<'a>(
    folder: &Path,
    names: &FileNames,
    inputs: &'a [Input],
) -> PlannedFiles<'a> {
    let mut files: BTreeMap<PathBuf, Vec<&Input>> = BTreeMap::new();
    for input in inputs {
        let path = folder.join(&input.subfolder).join(names.of(&input.text));
        files.entry(path).or_default().push(input);
    }
    files.into_iter().collect()
}

/// The files that a command reads.
pub(super) struct InputFiles {
    paths: HashSet<PathBuf>,
}

impl InputFiles {
    pub(super) fn of(inputs: &[Input]) -> Self {
        let mut paths = HashSet::new();
        for input in inputs {
            if let Ok(path) = Path::new(&input.text).canonicalize() {
                paths.insert(path);
            }
        }
        Self { paths }
    }

    /// Refuses a file whose name the command has chosen if a picture would replace a skin there.
    pub(super) fn check_not_replaced(&self, path: &Path) -> Result<()> {
        let is_input = path
            .canonicalize()
            .is_ok_and(|path| self.paths.contains(&path));
        ensure!(
            !is_input,
            "the picture would replace the skin {}: name another folder or --file-name",
            path.display()
        );
        Ok(())
    }
}

/// Creates the folders of files, and tries to write into them, so that an unusable folder is one
/// error, not one for each file.
pub(super) fn create_folders(folder: &Path, files: &PlannedFiles<'_>) -> Result<()> {
    let mut folders = vec![folder];
    for (path, _) in files {
        if let Some(parent) = path.parent()
            && !folders.contains(&parent)
        {
            folders.push(parent);
        }
    }
    for folder in folders {
        let usable = fs::create_dir_all(folder).and_then(|()| try_to_write(folder));
        usable.with_context(|| format!("cannot write to the folder {}", folder.display()))?;
    }
    Ok(())
}

/// Creates an empty file in a folder, and removes it.
fn try_to_write(folder: &Path) -> io::Result<()> {
    let file = folder.join(format!(".effigy-{}", process::id()));
    fs::write(&file, [])?;
    fs::remove_file(&file)
}

/// Writes a file, in a folder that is created if it is missing.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let created = fs::create_dir_all(folder);
    created.with_context(|| format!("cannot create the folder {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the path of a file with an extension, which is added if there is none. A device keeps
/// its name.
fn with_extension(path: &Path, extension: &str) -> PathBuf {
    let is_device = path.exists() && !path.is_file();
    if path.extension().is_some() || is_device {
        path.to_owned()
    } else {
        path.with_extension(extension)
    }
}

/// Returns the format by the extension of the output file, if it has one, or by the flag.
fn format(args: &RenderArgs, file: Option<&Path>) -> Result<ImageFormat, ConfigError> {
    let file = file.unwrap_or(Path::new(""));
    let is_moving = args.motion().is_some();
    let problem = match (&*extension(file), args.svg) {
        ("" | "png", false) => return Ok(ImageFormat::Png),
        ("apng", false) if is_moving => return Ok(ImageFormat::Png),
        ("gif", false) if is_moving => return Ok(ImageFormat::Gif),
        ("apng" | "gif", _) => "moves: only a figure, portrait or cube does, and no SVG",
        ("svg", _) if is_moving => "ends in .svg: a moving picture is .apng or .gif",
        ("svg", _) if args.spec().is_none() => "ends in .svg: skin and cape are PNG files",
        ("" | "svg", _) => return Ok(ImageFormat::Svg),
        ("png", true) => "ends in .png: end it in .svg, or leave out --svg",
        _ => "ends in neither .png nor .svg: pictures are PNG or SVG, and moving ones APNG or GIF",
    };
    Err(unusable(file, problem))
}

fn unusable(output: &Path, problem: &'static str) -> ConfigError {
    ConfigError::new("--output", &output.to_string_lossy(), problem)
}
