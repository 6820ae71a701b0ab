//! Numbers as a kind of value requests them, and the reports about missing or unfitting ones.

use super::Parser;
use crate::TextCode;
use crate::scan::{Number, Span};
use moviola_format::Unit;

/// A character with which nothing in the language begins or ends.
pub(super) fn is_stray(byte: u8) -> bool {
    !crate::scan::is_word(byte) && !matches!(byte, b';' | b'{' | b'}' | b'"' | b'-')
}

impl Parser<'_, '_> {
    fn expected_number(&mut self, what: &str) {
        let token = self.scan.token();
        let found = String::from_utf8_lossy(self.scan.slice(token)).into_owned();
        let found = if found.is_empty() { "the end of the text".into() } else { format!("`{found}`") };
        let message = format!("{what} is expected here, not {found}");
        let inside = found.trim_matches(['`', '"']).to_owned();
        let quoted = found.contains('"') && inside.parse::<f64>().is_ok();
        let called = self.called;
        let help = match () {
            () if quoted => "numbers have no quotes".to_owned(),
            () if matches!(self.scan.peek(), None | Some(b';' | b'}' | b'{')) && !called.is_empty() => {
                format!("a value is missing before it; `moviola explain {called}` says how many there are")
            }
            () => "a number is `5`, `-1.5` or `0x1F`".to_owned(),
        };
        let fix = quoted.then_some((token, inside));
        self.scan.mistake_with(TextCode::ExpectedNumber, token, message, help, fix);
        self.skip_value();
    }

    /// Skips the text in the place of a value.
    pub(super) fn skip_value(&mut self) {
        if !matches!(self.scan.next(), None | Some(b';' | b'}' | b'{')) && !self.scan.is_reported_here() {
            self.scan.pos += self.scan.token().len.max(1);
        }
    }

    /// Skips characters without a meaning; LMPC echoed them and went on.
    #[cold]
    pub(crate) fn strays(&mut self) {
        if self.lmpc {
            while self.scan.next().is_some_and(|byte| self.scan.means_nothing_to_lmpc(byte)) {
                self.scan.pos += 1;
            }
            return;
        }
        while self.scan.next().is_some_and(is_stray) && !self.scan.at_point() {
            // Its mistake was reported; the next character may begin the value.
            let _ = self.stray();
        }
    }

    /// Takes the next number; returns zero if there is none, which it reports.
    pub(super) fn number(&mut self, what: &str) -> Number {
        if self.lmpc {
            self.strays();
            if let Some(number) = self.scan.number_for_lmpc() {
                return number;
            }
        }
        if let Some(number) = self.scan.number() {
            return number;
        }
        self.strays();
        if let Some(number) = self.scan.number() {
            return number;
        }
        if self.scan.at_point() {
            self.digit_before_point();
        } else {
            self.expected_number(what);
        }
        Number { value: 0.0, whole: Some(0), bits: None, span: Span::default() }
    }

    pub(super) fn is_hex(&self, number: Number) -> bool {
        self.scan.slice(number.span).get(..2).is_some_and(|start| start.eq_ignore_ascii_case(b"0x"))
    }

    /// Takes a number where LMPC requires one with a point.
    pub(super) fn pointed(&mut self, what: &str) -> Number {
        let number = self.number(what);
        self.pointed_for_lmpc(number);
        number
    }

    /// `.5`: a number has a digit before its point.
    #[cold]
    fn digit_before_point(&mut self) {
        let token = self.scan.token();
        let text = String::from_utf8_lossy(self.scan.slice(token)).into_owned();
        let point = token.offset + text.find('.').unwrap_or_default();
        let help = format!("write `{}`", text.replacen('.', "0.", 1));
        let fix = Some((Span { offset: point, len: 0 }, "0".to_owned()));
        let message = format!("`{text}` has no digit before its point");
        self.scan.mistake_with(TextCode::ExpectedNumber, token, message, help, fix);
        self.scan.pos += token.len;
    }

    /// In LMPC's mode, reports a float without a point, which LMPC could not read. Its own spelling of floats
    /// that are not finite is accepted.
    pub(super) fn pointed_for_lmpc(&mut self, number: Number) {
        let text = self.scan.slice(number.span);
        if !self.lmpc || text.is_empty() || number.bits.is_some() || text.contains(&b'.') {
            return;
        }
        let before = Span { offset: number.span.offset.saturating_sub(2), len: 2 };
        if let [blank, b'.'] = self.scan.slice(before)
            && !blank.is_ascii_digit()
        {
            self.scan.pos = before.offset + 1;
            return self.digit_before_point();
        }
        let text = String::from_utf8_lossy(text).into_owned();
        let message = format!("LMPC reads no number without a point here, and `{text}` has none");
        let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let help = if digits { format!("write `{text}.0`") } else { "write it with a point".into() };
        let fix =
            digits.then(|| (Span { offset: number.span.offset + number.span.len, len: 0 }, ".0".to_owned()));
        self.scan.mistake_with(TextCode::ExpectedNumber, number.span, message, help, fix);
    }

    /// In LMPC's mode, reports a whole number with a point or an exponent.
    pub(super) fn whole_for_lmpc(&mut self, number: Number) {
        if !self.lmpc || number.whole.is_some() || number.bits.is_some() {
            return;
        }
        let text = String::from_utf8_lossy(self.scan.slice(number.span)).into_owned();
        let message = format!("LMPC reads only whole numbers here, and `{text}` is none");
        let help = format!("write `{}`", number.value.round());
        let fix = Some((number.span, number.value.round().to_string()));
        self.scan.mistake_with(TextCode::ExpectedNumber, number.span, message, help, fix);
    }

    /// Reports a float that is not finite if a number is required.
    pub(super) fn finite_number(&mut self, number: Number) {
        if !number.value.is_finite() && !self.lmpc {
            let text = String::from_utf8_lossy(self.scan.slice(number.span)).into_owned();
            let message = format!("{text} does not fit here");
            let help = "this is sent in whole steps: it takes an ordinary number";
            self.scan.mistake(TextCode::OutOfRange, number.span, message, help);
        }
    }

    /// Reports digits that are beyond the range of a float.
    pub(super) fn fits_float(&mut self, span: Span, value: f32) {
        if !value.is_finite() && !self.lmpc {
            let text = String::from_utf8_lossy(self.scan.slice(span)).into_owned();
            let message = format!("{text} does not fit a float");
            let help = "it can be -3.4e38 to 3.4e38; `inf` says that it is infinite";
            self.scan.mistake(TextCode::OutOfRange, span, message, help);
        }
    }

    #[cold]
    pub(super) fn out_of_range(&mut self, number: Number, min: &str, max: &str) {
        let text = String::from_utf8_lossy(self.scan.slice(number.span)).into_owned();
        let what = match (min, max) {
            ("0", "255") => "a byte",
            ("-128", "127") => "a signed byte",
            ("0", "65535") | ("-32768", "32767") => "16 bits",
            ("-2147483648", "2147483647") => "32 bits",
            _ => "here",
        };
        let message = format!("{text} does not fit {what}");
        self.scan.mistake(TextCode::OutOfRange, number.span, message, format!("it can be {min} to {max}"));
    }

    pub(super) fn raw(&mut self, number: Number, unit: Unit) -> i64 {
        if self.lmpc {
            // LMPC reads a float, multiplies it in the processor's full width and truncates it, in volumes
            // after adding a half.
            let value = f64::from(number.value as f32);
            let (num, den) = unit.fraction();
            let raw = value * den as f64 / num as f64;
            return if unit == Unit::Part255 { (raw + 0.5) as i64 } else { raw as i64 };
        }
        unit.nearest(number.value)
    }
}
