//! One table for whatever has a code to look up: what checks and audits find, what is wrong in a text or in an edit.
//!
//! A room's own columns, such as a severity, are its own: it writes a macro that hands the rest of its rows to this.

/// Declares an enum of things with a code: of each the explanation, the code and a title.
///
/// ```
/// moviola_format::codes! {
///     /// What the projectionist minds.
///     pub enum Code;
///
///     /// The film is in two pieces. Splice it.
///     Torn "P001" "torn film"
///
///     /// The film was not wound back.
///     Backwards "P002" "film wound backwards"
/// }
///
/// assert_eq!(Code::find("p001"), Some(Code::Torn));
/// assert_eq!(Code::find("P003"), None);
/// assert_eq!(Code::Backwards.number(), "P002");
/// assert_eq!(Code::Torn.title(), "torn film");
/// assert_eq!(Code::Torn.explanation().trim(), "The film is in two pieces. Splice it.");
/// assert_eq!(Code::ALL, [Code::Torn, Code::Backwards]);
/// ```
#[macro_export]
macro_rules! codes { (
    $(#[doc = $about:literal])*
    pub enum $Code:ident;
    $( $(#[doc = $explanation:literal])* $name:ident $number:literal $title:literal )*
) => {
    $(#[doc = $about])*
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum $Code { $( $(#[doc = $explanation])* $name, )* }

    impl $Code {
        /// All of them.
        pub const ALL: &'static [Self] = &[$( Self::$name, )*];

        /// The code, as it is printed.
        pub fn number(self) -> &'static str {
            match self { $( Self::$name => $number, )* }
        }
        /// What it is, in a line.
        pub fn title(self) -> &'static str {
            match self { $( Self::$name => $title, )* }
        }
        /// What it means and what can be done, in full.
        pub fn explanation(self) -> &'static str {
            match self { $( Self::$name => concat!($( $explanation, "\n", )*), )* }
        }
        /// The one with this code, in either case.
        pub fn find(number: &str) -> Option<Self> {
            Self::ALL.iter().copied().find(|code| code.number().eq_ignore_ascii_case(number))
        }
    }
} }
