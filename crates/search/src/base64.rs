//! Base64 (RFC 4648, standard alphabet, with padding).

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns bytes as Base64.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let is_padding = digit > chunk.len();
            let value = DIGITS[(bits >> (18 - 6 * digit) & 63) as usize];
            text.push(if is_padding { '=' } else { char::from(value) });
        }
    }
    text
}

/// Returns the bytes of a text in Base64; `None` if it is none.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut values = [None; 256];
    for (value, digit) in DIGITS.iter().enumerate() {
        values[*digit as usize] = Some(value as u32);
    }
    let digits = text.trim_end_matches('=').as_bytes();
    let padding = text.len() - digits.len();
    if text.len() % 4 != 0 || padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for chunk in digits.chunks(4) {
        let mut bits = 0;
        for digit in chunk {
            bits = bits << 6 | values[*digit as usize]?;
        }
        bits <<= 6 * (4 - chunk.len());
        bytes.extend(&[(bits >> 16) as u8, (bits >> 8) as u8, bits as u8][..chunk.len() - 1]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn examples_of_rfc_4648() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        for text in ["Zg=", "Z===", "Zm 8=", "Zg==Zg"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
