//! Which other edit helps where a conversion leaves what an engine minds: what is damage is not for it to mend.

use moviola_check::Code;

/// What is to be done about a finding; each has its line here, so that no new one is forgotten.
#[expect(clippy::match_same_arms, reason = "for different reasons")]
pub(crate) fn remedy(code: Code) -> Option<&'static str> {
    use Code as C;
    Some(match code {
        C::ClockBack
        | C::ClockLeap
        | C::ClockSparks
        | C::DeltaMissing
        | C::Direction
        | C::EarlyEnd
        | C::NoPrecache
        | C::OutOfPlace
        | C::SentAway
        | C::SignonOrder
        | C::SignonStage
        | C::TruncatedBlock => "`repair` mends that",
        C::NoLevel => "`repair --signon` takes the beginning from another recording of the level",
        C::RelayFrame | C::ServerFrame => "`view` makes the recording of one of its players",
        C::SecondLevel => "`split` takes the levels apart",
        // Nothing mends these: it is not known what was there, or where it belongs.
        C::HugeBlock
        | C::NoSignon
        | C::RawProtocol
        | C::FrameShape
        | C::ImpossibleValue
        | C::Undecided
        | C::MaxClients
        | C::Rerelease
        | C::TooEarly
        | C::NoModels
        | C::OddFrame
        | C::NoMap
        | C::EarlyConfig => return None,
        // The conversion itself sees to these as far as it can, or no engine minds.
        C::NoRecording
        | C::MissingEnd
        | C::MissingMark
        | C::BytesAfterEnd
        | C::EmptyBlock
        | C::NegativeBlock
        | C::OddHeader
        | C::HeaderUnreadable
        | C::UnknownMessage
        | C::ShortMessage
        | C::UnknownTempEntity
        | C::ShortTime
        | C::Extended
        | C::DarkPlacesUpdate
        | C::BlockSize
        | C::ProtocolSpoken
        | C::MessageKnown
        | C::TempEntityKnown
        | C::EntityNumber
        | C::Models
        | C::Sounds
        | C::StaticEntities
        | C::PlayerSlot
        | C::LightStyles
        | C::Colormap
        | C::StatIndex
        | C::SoundEntity
        | C::HighByteInString
        | C::LongString
        | C::UnterminatedString
        | C::ItemsUnmarked
        | C::ItemsAbsent
        | C::WeaponAbsent
        | C::NehahraUpdate
        | C::SpareUpdateBit
        | C::SpareClientBit
        | C::SpareSoundBits
        | C::View
        | C::NoColors
        | C::CenterText
        | C::ConfigIndex
        | C::FlashEntity
        | C::Download
        | C::OldTempEntity
        | C::OldDownload
        | C::Reconnect
        | C::FieldOfView
        | C::ConfigRoom
        | C::DownloadSize => return None,
    })
}
