//! Enumerations whose values have names in data, such as `king_captured`.

/// Defines enumerations from their values and the names of these.
macro_rules! named {
    ($($(#[$doc:meta])* $type:ident { $($(#[$value_doc:meta])* $value:ident = $name:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum $type { $($(#[$value_doc])* $value,)* }

        impl $type {
            /// Every value.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];
            /// The names of the values in data.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Returns its name in data.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $name,)* }
            }

            /// Parses a name.
            ///
            /// # Errors
            /// Returns the key, the name that was found, and those that are expected.
            pub fn parse(key: &str, found: &str) -> Result<Self, alloc::string::String> {
                let place = Self::NAMES.iter().position(|name| *name == found);
                place.map(|place| Self::ALL[place]).ok_or_else(|| {
                    alloc::format!("{key}: {found:?}, expected {}", Self::NAMES.join(" | "))
                })
            }
        }
    )*};
}
pub(crate) use named;
