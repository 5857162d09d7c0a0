//! The program that reads PDF files for another one.

use std::io::{self, Read, Write};

use dupfind_pdf::Refusal;

use super::{FILE, array};
use crate::contained::contained;

/// Answers requests until there are no more. A program calls this with its standard input and output, and with a limit of
/// the system on its memory. Its panic hook asks [`is_contained`](crate::contained::is_contained). Before it reads a
/// file it calls `begin` with the size of the file.
///
/// # Errors
///
/// The other program is gone, or a request is none.
pub fn serve(
    mut requests: impl Read,
    mut answers: impl Write,
    mut begin: impl FnMut(u64),
) -> io::Result<()> {
    loop {
        let limit = match array(&mut requests) {
            Ok(limit) => u64::from_le_bytes(limit),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        };
        let file = file(&mut requests)?;
        begin(file.len() as u64);
        let text = contained(|| dupfind_pdf::text(file, limit));
        let (number, text) = match text {
            Some(Ok(text)) => {
                let title = text.title.unwrap_or_default() + "\n";
                let pages = text.pages.into_iter().map(|page| page + "\u{c}");
                (0, [title].into_iter().chain(pages).collect())
            }
            Some(Err(refusal)) => (number(refusal), String::new()),
            // A crate of others did not expect the file.
            None => (number(Refusal::Damaged), String::new()),
        };
        answers.write_all(&[number])?;
        answers.write_all(&(text.len() as u64).to_le_bytes())?;
        answers.write_all(text.as_bytes())?;
        answers.flush()?;
    }
}

fn number(refusal: Refusal) -> u8 {
    match refusal {
        Refusal::Encrypted => 1,
        Refusal::Damaged => 2,
        Refusal::NoText => 3,
        Refusal::TooMuch => 4,
        Refusal::TooLarge => 5,
    }
}

/// Reads the pieces of a file.
fn file(requests: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    loop {
        let length = u32::from_le_bytes(array(requests)?);
        if length == 0 {
            return Ok(file);
        }
        if file.len() as u64 + u64::from(length) > FILE {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let read = requests.take(length.into()).read_to_end(&mut file)?;
        if read != length as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the request for a file.
    fn request(file: &[u8]) -> Vec<u8> {
        let mut request = 99_u64.to_le_bytes().to_vec();
        for piece in file.chunks(3).chain([&[][..]]) {
            request.extend(u32::try_from(piece.len()).unwrap().to_le_bytes());
            request.extend(piece);
        }
        request
    }

    #[test]
    fn files_are_answered_in_order() {
        let mut answers = Vec::new();
        let requests = [request(b"no PDF"), request(b"")].concat();
        serve(&requests[..], &mut answers, |_| ()).unwrap();
        let refused = [&[2_u8][..], &[0; 8]].concat();
        assert_eq!(answers, refused.repeat(2));
    }

    #[test]
    fn half_a_request_is_an_error() {
        let request = request(b"no PDF");
        for end in 1..request.len() {
            let half = serve(&request[..end], io::sink(), |_| ());
            assert!(end < 8 || half.is_err(), "{end}");
        }
        let huge = [&[0; 8][..], &[0xff; 4]].concat();
        assert!(serve(&huge[..], io::sink(), |_| ()).is_err());
    }
}
