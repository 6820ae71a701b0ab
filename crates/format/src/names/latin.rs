//! Letters that the games' font lacks, and their spelling in letters that it has.

/// Groups of letters, and the spelling of each.
const LETTERS: &[(&str, &str)] = &[
    ("ÀÁÂÃÄÅĀĂĄǍ", "A"),
    ("ÆǼ", "Ae"),
    ("àáâãäåāăąǎ", "a"),
    ("æǽ", "ae"),
    ("ÇĆĈĊČ", "C"),
    ("çćĉċč", "c"),
    ("ÐĎĐ", "D"),
    ("ðďđ", "d"),
    ("ÈÉÊËĒĔĖĘĚ€", "E"),
    ("èéêëēĕėęě", "e"),
    ("ĜĞĠĢ", "G"),
    ("ĝğġģ", "g"),
    ("ĤĦ", "H"),
    ("ĥħ", "h"),
    ("ÌÍÎÏĨĪĬĮİ", "I"),
    ("ìíîïĩīĭįı", "i"),
    ("Ĳ", "IJ"),
    ("ĳ", "ij"),
    ("Ĵ", "J"),
    ("ĵ", "j"),
    ("Ķ", "K"),
    ("ķĸ", "k"),
    ("ĹĻĽĿŁ", "L"),
    ("ĺļľŀł", "l"),
    ("ÑŃŅŇŊ", "N"),
    ("ñńņňŉŋ", "n"),
    ("ÒÓÔÕÖØŌŎŐǾ", "O"),
    ("Œ", "Oe"),
    ("òóôõöøōŏőǿº", "o"),
    ("œ", "oe"),
    ("ŔŖŘ", "R"),
    ("ŕŗř", "r"),
    ("ŚŜŞŠȘ", "S"),
    ("śŝşšșſ", "s"),
    ("ß", "ss"),
    ("ẞ", "SS"),
    ("ﬀ", "ff"),
    ("ﬁ", "fi"),
    ("ﬂ", "fl"),
    ("ﬃ", "ffi"),
    ("ﬄ", "ffl"),
    ("ŢŤŦȚ", "T"),
    ("ţťŧț", "t"),
    ("Þ", "Th"),
    ("þ", "th"),
    ("ÙÚÛÜŨŪŬŮŰŲ", "U"),
    ("ùúûüũūŭůűų", "u"),
    ("Ŵ", "W"),
    ("ŵ", "w"),
    ("ÝŶŸ", "Y"),
    ("ýŷÿ", "y"),
    ("ŹŻŽ", "Z"),
    ("źżž", "z"),
    ("ª", "a"),
    // Cyrillic and Greek, as passports spell them.
    ("АΑΆ", "A"),
    ("аαά", "a"),
    ("Б", "B"),
    ("б", "b"),
    ("ВΒ", "V"),
    ("вβ", "v"),
    ("ГҐΓ", "G"),
    ("гґγ", "g"),
    ("ДΔ", "D"),
    ("дδ", "d"),
    ("ЕЁЭЄΕΈ", "E"),
    ("еёэєεέ", "e"),
    ("Ж", "Zh"),
    ("ж", "zh"),
    ("ЗΖ", "Z"),
    ("зζ", "z"),
    ("ИІЇΙΊΪΗΉ", "I"),
    ("иіїιίϊΐηή", "i"),
    ("ЙЈ", "J"),
    ("йј", "j"),
    ("КΚ", "K"),
    ("кκ", "k"),
    ("ЛΛ", "L"),
    ("лλ", "l"),
    ("МΜ", "M"),
    ("мμµ", "m"),
    ("НΝ", "N"),
    ("нν", "n"),
    ("ОΟΌΩΏ", "O"),
    ("оοόωώ", "o"),
    ("ПΠ", "P"),
    ("пπ", "p"),
    ("РΡ", "R"),
    ("рρ", "r"),
    ("СΣ", "S"),
    ("сσς", "s"),
    ("ТΤ", "T"),
    ("тτ", "t"),
    ("УЎ", "U"),
    ("уў", "u"),
    ("ФΦ", "F"),
    ("фφ", "f"),
    ("Х", "Kh"),
    ("х", "kh"),
    ("Χ", "Ch"),
    ("χ", "ch"),
    ("Ц", "Ts"),
    ("ц", "ts"),
    ("Ч", "Ch"),
    ("ч", "ch"),
    ("Ш", "Sh"),
    ("ш", "sh"),
    ("Щ", "Shch"),
    ("щ", "shch"),
    ("ЪЬ", ""),
    ("ъь", ""),
    ("ЫΥΎΫ", "Y"),
    ("ыυύϋΰ", "y"),
    ("Ю", "Yu"),
    ("ю", "yu"),
    ("Я", "Ya"),
    ("я", "ya"),
    ("Ђ", "Dj"),
    ("ђ", "dj"),
    ("Ћ", "C"),
    ("ћ", "c"),
    ("Љ", "Lj"),
    ("љ", "lj"),
    ("Њ", "Nj"),
    ("њ", "nj"),
    ("Џ", "Dz"),
    ("џ", "dz"),
    ("Θ", "Th"),
    ("θ", "th"),
    ("Ξ", "X"),
    ("ξ", "x"),
    ("Ψ", "Ps"),
    ("ψ", "ps"),
    ("‘’‚‛′´ʼ", "'"),
    ("“”„‟″«»", "\""),
    ("‹", "<"),
    ("›", ">"),
    ("‐‑‒–−", "-"),
    ("—―", "--"),
    ("…", "..."),
    ("¡", "!"),
    ("¿", "?"),
    ("×", "x"),
    ("÷", ":"),
    ("¦", "|"),
    ("♪♫♩♬", "#"),
    ("©", "(c)"),
    ("®", "(r)"),
    ("™", "(tm)"),
    ("°", "o"),
    ("¹", "1"),
    ("²", "2"),
    ("³", "3"),
    ("¼", "1/4"),
    ("½", "1/2"),
    ("¾", "3/4"),
    ("£", "L"),
    ("¥", "Y"),
    ("\u{a0}\u{2002}\u{2003}\u{2009}\u{202f}\u{3000}", " "),
    // Invisible characters: soft hyphens, joiners, marks of direction, a byte order mark, accents that follow
    // their letter.
    ("\u{ad}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2060}\u{feff}", ""),
];

/// A letter in ASCII; `?` if no ASCII letter is similar.
///
/// ```
/// use moviola_format::names::transliterate;
/// assert_eq!(transliterate('é'), "e");
/// assert_eq!(transliterate('ß'), "ss");
/// assert_eq!(transliterate('ﬁ'), "fi");
/// assert_eq!(transliterate('漢'), "?");
/// ```
pub fn transliterate(letter: char) -> &'static str {
    if ('\u{300}'..='\u{36f}').contains(&letter) {
        return "";
    }
    LETTERS.iter().find(|group| group.0.contains(letter)).map_or("?", |group| group.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_letters_of_western_and_central_europe_have_a_spelling() {
        for letter in ('\u{c0}'..='\u{17f}').filter(|letter| letter.is_alphabetic()) {
            let spelled = transliterate(letter);
            assert!(spelled != "?" && spelled.is_ascii(), "{letter} {spelled}");
            assert_eq!(
                letter.is_uppercase(),
                spelled.starts_with(|first: char| first.is_uppercase()),
                "{letter}"
            );
        }
    }

    #[test]
    fn russian_ukrainian_and_greek_have_a_spelling() {
        let spelled = |text: &str| text.chars().map(transliterate).collect::<String>();
        assert_eq!(spelled("Съешьещё"), "Sesheshche");
        assert_eq!(spelled("Підземелля"), "Pidzemellya");
        assert_eq!(spelled("Θύρα"), "Thyra");
        let cyrillic = ('А'..='я').chain(['Ё', 'ё', 'Є', 'є', 'І', 'і', 'Ї', 'ї', 'Ґ', 'ґ']);
        assert!(cyrillic.into_iter().all(|letter| transliterate(letter) != "?"));
        assert!(
            ('Α'..='ώ').filter(|letter| letter.is_alphabetic()).all(|letter| transliterate(letter) != "?")
        );
    }

    #[test]
    fn no_letter_is_in_two_groups() {
        let mut all: Vec<char> = LETTERS.iter().flat_map(|group| group.0.chars()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
