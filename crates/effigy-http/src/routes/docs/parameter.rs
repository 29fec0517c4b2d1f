//! Documented parameters.

use effigy_render::View;

/// A parameter of a path or a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// A valid value.
    pub(crate) example: &'static str,
    pub(crate) schema: Schema,
    /// `true` if a query must have it. A path always has its parameters.
    pub(crate) is_required: bool,
    /// Returns `true` for the views that have it.
    applies_to: fn(View) -> bool,
}

/// The values that a parameter may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schema {
    /// Any text.
    Text,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number from 1 to this one.
    UpTo(u32),
    /// A whole number from 0 to this one.
    ZeroTo(u32),
    /// A color: six or eight hexadecimal digits.
    Color,
    /// A number of degrees from the negative of this one to this one.
    Degrees(u32),
    /// A UUID with or without dashes.
    Uuid,
    /// The hash of a texture.
    Hash,
}

impl Parameter {
    pub(in crate::routes) const fn new(
        name: &'static str,
        example: &'static str,
        schema: Schema,
    ) -> Self {
        Self {
            name,
            description: "",
            example,
            schema,
            is_required: false,
            applies_to: |_| true,
        }
    }

    pub(in crate::routes) const fn text(name: &'static str, example: &'static str) -> Self {
        Self::new(name, example, Schema::Text)
    }

    pub(in crate::routes) const fn one_of(
        name: &'static str,
        example: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::new(name, example, Schema::OneOf(words))
    }

    pub(in crate::routes) const fn up_to(
        name: &'static str,
        example: &'static str,
        max: u32,
    ) -> Self {
        Self::new(name, example, Schema::UpTo(max))
    }

    pub(in crate::routes) const fn degrees(
        name: &'static str,
        example: &'static str,
        max: u32,
    ) -> Self {
        Self::new(name, example, Schema::Degrees(max))
    }

    pub(in crate::routes) const fn description(self, description: &'static str) -> Self {
        Self {
            description,
            ..self
        }
    }

    pub(in crate::routes) const fn required(self) -> Self {
        Self {
            is_required: true,
            ..self
        }
    }

    pub(in crate::routes) const fn only_for(self, applies_to: fn(View) -> bool) -> Self {
        Self { applies_to, ..self }
    }

    pub(crate) fn applies_to(&self, view: View) -> bool {
        (self.applies_to)(view)
    }

    /// Returns why a request for another view is rejected: `Yaw applies only to figure and cube`.
    pub(in crate::routes) fn misplaced(&self) -> String {
        let (first, rest) = self.name.split_at(1);
        let (first, views) = (first.to_uppercase(), self.views_in_words(""));
        format!("{first}{rest} applies only to {views}")
    }

    /// Returns the description with the views that have the parameter.
    pub(crate) fn full_description(&self) -> String {
        if View::ALL.into_iter().all(self.applies_to) {
            return self.description.to_owned();
        }
        format!(
            "{} Only for {}.",
            self.description,
            self.views_in_words("`")
        )
    }

    /// Returns the views as a list in English, each word between two marks.
    fn views_in_words(&self, mark: &str) -> String {
        let views = View::ALL.into_iter().filter(|view| self.applies_to(*view));
        let words: Vec<String> = views.map(|view| format!("{mark}{view}{mark}")).collect();
        match words.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => words.concat(),
        }
    }
}
