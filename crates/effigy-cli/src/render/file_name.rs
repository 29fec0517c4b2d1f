//! Templates for the names of files.

use std::str::FromStr;

/// The template of the names of pictures' files: `{stem}_{view}.{ext}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileNameTemplate {
    parts: Vec<Part>,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Stem,
    View,
    Extension,
}

impl FileNameTemplate {
    /// The names of files of one player each.
    pub(super) fn of_each() -> Self {
        let underscore = Part::Text("_".to_owned());
        let dot = Part::Text(".".to_owned());
        Self {
            parts: vec![Part::Stem, underscore, Part::View, dot, Part::Extension],
        }
    }

    /// The name of a file of all players.
    pub(super) fn of_all() -> Self {
        let dot = Part::Text(".".to_owned());
        Self {
            parts: vec![Part::View, dot, Part::Extension],
        }
    }

    /// Returns the name of a file.
    #[must_use]
    pub fn file_name(&self, stem: &str, view: &str, extension: &str) -> String {
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

impl FromStr for FileNameTemplate {
    type Err = String;

    fn from_str(template: &str) -> Result<Self, String> {
        if template.contains(['/', '\\']) {
            return Err("write the name of a file; its folder is that of --output".to_owned());
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
    fn a_template_is_filled_once() {
        let template: FileNameTemplate = "a-{stem}-{view}.{ext}".parse().unwrap();
        let name = template.file_name("{view} x", "face", "png");
        assert_eq!(name, "a-{view} x-face.png");
        let short: FileNameTemplate = "{stem}.{ext}".parse().unwrap();
        assert_eq!(short.file_name("fox", "face", "svg"), "fox.svg");
    }

    #[test]
    fn usual_names_have_stem_and_view() {
        let each = FileNameTemplate::of_each();
        assert_eq!(each, "{stem}_{view}.{ext}".parse().unwrap());
        let all = FileNameTemplate::of_all();
        assert_eq!(all, "{view}.{ext}".parse().unwrap());
    }

    #[test]
    fn impossible_templates_are_refused() {
        for (template, words) in [
            ("", "end it in .{ext}"),
            ("{stem}.png", "end it in .{ext}"),
            ("{ext}", "end it in .{ext}"),
            ("faces/{stem}.{ext}", "its folder is that of --output"),
            ("{name}.{ext}", "not {name}"),
            ("{stem.{ext}", "not {stem.{ext}"),
        ] {
            let refused = template.parse::<FileNameTemplate>().unwrap_err();
            assert!(refused.contains(words), "{template}: {refused}");
        }
    }
}
