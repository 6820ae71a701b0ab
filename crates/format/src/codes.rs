//! One table for all kinds of codes: the findings of checks and audits, and the mistakes in texts and edits.
//!
//! A crate can have columns of its own, such as a severity: its macro then passes the other columns of its
//! rows to this one.

/// Declares an enum whose variants have a code, a title and an explanation.
///
/// ```
/// moviola_format::codes! {
///     /// The faults of a film on its reel.
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
        /// All variants, in the order of the table.
        pub const ALL: &'static [Self] = &[$( Self::$name, )*];

        /// The code, as it is printed.
        pub fn number(self) -> &'static str {
            match self { $( Self::$name => $number, )* }
        }
        /// A one-line title.
        pub fn title(self) -> &'static str {
            match self { $( Self::$name => $title, )* }
        }
        /// The full explanation: the meaning, and a remedy if there is one.
        pub fn explanation(self) -> &'static str {
            match self { $( Self::$name => concat!($( $explanation, "\n", )*), )* }
        }
        /// Finds the variant with this code, in upper or lower case.
        pub fn find(number: &str) -> Option<Self> {
            Self::ALL.iter().copied().find(|code| code.number().eq_ignore_ascii_case(number))
        }
    }
} }
