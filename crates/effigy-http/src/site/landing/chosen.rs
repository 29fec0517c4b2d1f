//! The parameters that the query of the page has chosen for its picture.

use effigy_parameters::{Output, Parameter, PictureSettings, parameters, value};
use effigy_render::View;

use crate::routes::{LIMITS, Rejection, parse_default};

/// The size of the picture if the query does not name it.
pub(super) const DEFAULT_SIZE: &str = "192";

/// The size, and the parameters that change the picture of the page, with their values.
#[derive(Debug, Default, Clone)]
pub(super) struct Chosen {
    pairs: Vec<(&'static str, String)>,
}

impl Chosen {
    /// Returns the value of a parameter, if it is chosen.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|pair| pair.0 == name)?;
        Some(&pair.1)
    }

    /// Returns the names and values, in the order of the table of parameters.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.pairs
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
    }

    /// Returns the picture of a view with these parameters.
    ///
    /// # Errors
    /// If a value is not valid, or contradicts another one.
    pub(super) fn picture(&self, view: View) -> Result<PictureSettings, Rejection> {
        let value = |name: &str| self.value(name);
        Ok(PictureSettings::read(view, LIMITS, value)?)
    }

    /// Removes a parameter, and returns its value if it was chosen.
    pub(super) fn remove(&mut self, name: &str) -> Option<String> {
        let position = self.pairs.iter().position(|pair| pair.0 == name)?;
        let (_, value) = self.pairs.remove(position);
        Some(value)
    }

    fn push(&mut self, name: &'static str, value: &str) {
        self.pairs.push((name, value.to_owned()));
    }
}

/// The choices of a query.
pub(super) struct Choices {
    pub(super) chosen: Chosen,
    /// The reasons why other values are ignored.
    pub(super) notes: Vec<String>,
}

impl Choices {
    /// Reads the parameters that change the picture of a view, and the substitute of a missing
    /// player. Each value that is kept is valid together with the others.
    pub(super) fn read<'a>(view: View, value: impl Fn(&str) -> Option<&'a str>) -> Self {
        let mut chosen = Chosen::default();
        let mut notes = Vec::new();
        for parameter in pose_first() {
            let name = parameter.name;
            let mut kept = if name == "size" {
                Some(DEFAULT_SIZE)
            } else {
                None
            };
            if let Some(given) = value(name) {
                // The page marks the picture of the pose that a synonym means.
                let meant = parameter.meant_value(given);
                match is_kept(parameter, view, &chosen, meant) {
                    Ok(true) => kept = Some(meant),
                    Ok(false) => {}
                    Err(rejection) if parameter.affects(view) => {
                        notes.push(format!("{}; {given} is ignored.", rejection.message));
                    }
                    // A parameter of another view may be invalid for this one.
                    Err(_) => {}
                }
            }
            if let Some(text) = kept {
                chosen.push(name, text);
            }
        }
        Self {
            chosen: in_order_of_table(&chosen),
            notes,
        }
    }
}

/// Returns the parameters of a picture, the pose before the others. The pose decides the default
/// angles, so it must be known before an angle is compared with its default.
fn pose_first() -> Vec<&'static Parameter> {
    let mut ordered: Vec<&Parameter> = parameters()
        .filter(|parameter| parameter.belongs_to(Output::Picture))
        .collect();
    ordered.sort_by_key(|parameter| parameter.name != "pose");
    ordered
}

/// Returns `true` if a value changes the picture that is chosen so far, or is the size or the
/// substitute of a missing player.
///
/// # Errors
/// If the value is not valid, or contradicts a value that is chosen so far.
fn is_kept(
    parameter: &Parameter,
    view: View,
    chosen: &Chosen,
    value: &str,
) -> Result<bool, Rejection> {
    if parameter.name == "default" {
        value::read("default", Some(value), parse_default)?;
        return Ok(true);
    }
    let before = chosen.picture(view).expect("the values so far are valid");
    let mut with_value = chosen.clone();
    with_value.push(parameter.name, value);
    let after = with_value.picture(view)?;
    // Some poses have equal pictures until they move.
    let is_changed = after.spec != before.spec || after.pose != before.pose;
    Ok(parameter.name == "size" || is_changed)
}

fn in_order_of_table(chosen: &Chosen) -> Chosen {
    let mut ordered = Chosen::default();
    for parameter in parameters() {
        if let Some(value) = chosen.value(parameter.name) {
            ordered.push(parameter.name, value);
        }
    }
    ordered
}
