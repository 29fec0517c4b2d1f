//! The names of files that the command chooses.

use std::str::FromStr;

use effigy_render::ImageFormat;

use super::RenderArgs;

/// The default for pictures of one player.
const OF_EACH: &str = "{stem}_{view}.{ext}";

/// The default for a picture of all players.
const OF_ALL: &str = "{view}.{ext}";

/// A template for the names of files, such as `{stem}_{view}.{ext}`.
#[derive(Debug, Clone)]
pub(super) struct FileNameTemplate {
    parts: Vec<Part>,
}

/// A part of a template.
#[derive(Debug, Clone)]
enum Part {
    Text(String),
    Stem,
    View,
    Extension,
}

impl FileNameTemplate {
    /// Fills the template.
    fn file_name(&self, stem: &str, view: &str, extension: &str) -> String {
        let mut name = String::new();
        for part in &self.parts {
            name.push_str(match part {
                Part::Text(text) => text,
                Part::Stem => stem,
                Part::View => view,
                Part::Extension => extension,
            });
        }
        name
    }
}

/// The names of the files of one command.
#[derive(Debug, Clone)]
pub struct FileNames {
    template: FileNameTemplate,
    view: String,
    extension: &'static str,
}

impl RenderArgs {
    /// Returns the names of files of a format.
    #[must_use]
    pub fn file_names(&self, format: ImageFormat) -> FileNames {
        let default = if self.combines_players() {
            OF_ALL
        } else {
            OF_EACH
        };
        let template = match &self.file_name {
            Some(template) => template.clone(),
            None => default.parse().expect("the defaults are valid templates"),
        };
        FileNames {
            template,
            view: self.picture.clone(),
            extension: self.extension_of(format),
        }
    }

    /// Returns the extension of files of a format.
    pub(super) fn extension_of(&self, format: ImageFormat) -> &'static str {
        if format == ImageFormat::Png && self.motion().is_some() {
            return "apng";
        }
        format.as_str()
    }
}

impl FileNames {
    /// Returns the name of the file for a skin or a player.
    #[must_use]
    pub fn of(&self, stem: &str) -> String {
        self.template.file_name(stem, &self.view, self.extension)
    }
}

impl FromStr for FileNameTemplate {
    type Err = String;

    fn from_str(template: &str) -> Result<Self, String> {
        if template.contains(['/', '\\']) {
            return Err("write a file name without a folder; --output is the folder".to_owned());
        }
        if !template.ends_with(".{ext}") {
            return Err("end it in .{ext}, as in '{stem}-{view}.{ext}'".to_owned());
        }
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some((text, after)) = rest.split_once('{') {
            if !text.is_empty() {
                parts.push(Part::Text(text.to_owned()));
            }
            let (word, end) = after.split_once('}').unwrap_or((after, ""));
            parts.push(match word {
                "stem" => Part::Stem,
                "view" => Part::View,
                "ext" => Part::Extension,
                _ => {
                    return Err(format!(
                        "write {{stem}}, {{view}} or {{ext}}, not {{{word}}}"
                    ));
                }
            });
            rest = end;
        }
        Ok(Self { parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_in_values_are_not_filled_again() {
        let template: FileNameTemplate = "a-{stem}-{view}.{ext}".parse().unwrap();
        let name = template.file_name("{view} x", "face", "png");
        assert_eq!(name, "a-{view} x-face.png");
        let short: FileNameTemplate = "{stem}.{ext}".parse().unwrap();
        assert_eq!(short.file_name("fox", "face", "svg"), "fox.svg");
    }

    #[test]
    fn default_names_have_stem_and_view() {
        let each: FileNameTemplate = OF_EACH.parse().unwrap();
        assert_eq!(each.file_name("fox", "face", "png"), "fox_face.png");
        let all: FileNameTemplate = OF_ALL.parse().unwrap();
        assert_eq!(all.file_name("fox", "face", "png"), "face.png");
    }

    #[test]
    fn impossible_templates_are_refused() {
        for (template, words) in [
            ("", "end it in .{ext}"),
            ("{stem}.png", "end it in .{ext}"),
            ("{ext}", "end it in .{ext}"),
            ("faces/{stem}.{ext}", "--output is the folder"),
            ("{name}.{ext}", "not {name}"),
            ("{stem.{ext}", "not {stem.{ext}"),
        ] {
            let refused = template.parse::<FileNameTemplate>().unwrap_err();
            assert!(refused.contains(words), "{template}: {refused}");
        }
    }
}
