//! The messages of the client.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::sync::Mutex;
use std::sync::mpsc::SyncSender;

use serde::Deserialize;
use serde_json::Value;

/// The most bytes of a message.
pub(super) const LONGEST: u64 = 16 << 20;

/// A line of the client, which is parsed when its turn has come; `None` if it has more than [`LONGEST`] bytes.
pub(super) type Line = Option<Vec<u8>>;

/// The parts of a message that count before its turn has come.
#[derive(Deserialize)]
struct Head {
    method: Option<String>,
    id: Option<Value>,
    params: Option<Params>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    request_id: Option<Value>,
}

/// The requests that are not answered yet, by their ids as JSON; true if the client does not want the answer any more.
#[derive(Debug, Default)]
pub(super) struct Pending(Mutex<HashMap<String, bool>>);

impl Pending {
    fn add(&self, id: &Value) {
        self.all().insert(id.to_string(), false);
    }

    fn cancel(&self, id: &Value) {
        if let Some(is_cancelled) = self.all().get_mut(&id.to_string()) {
            *is_cancelled = true;
        }
    }

    /// Returns whether a request was cancelled.
    pub(super) fn is_cancelled(&self, id: &Value) -> bool {
        self.all().get(&id.to_string()) == Some(&true)
    }

    /// Forgets a request. Returns whether it was cancelled.
    pub(super) fn end(&self, id: &Value) -> bool {
        self.all().remove(&id.to_string()) == Some(true)
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<String, bool>> {
        self.0.lock().expect("never poisoned")
    }
}

/// Reads messages to the end of the input. Cancellations are noted at once.
///
/// # Errors
///
/// The input cannot be read.
pub(super) fn read_messages(
    input: &mut impl BufRead,
    pending: &Pending,
    sender: &SyncSender<Line>,
) -> io::Result<()> {
    let mut line = Vec::new();
    while let Some(is_whole) = read_line(input, LONGEST, &mut line)? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let head = is_whole.then(|| serde_json::from_slice::<Head>(&line));
        if let Some(Ok(head)) = head {
            if head.method.as_deref() == Some("notifications/cancelled") {
                let id = head.params.and_then(|params| params.request_id);
                pending.cancel(&id.unwrap_or_default());
                continue;
            }
            if let Some(id) = &head.id {
                pending.add(id);
            }
        }
        if sender.send(is_whole.then(|| line.clone())).is_err() {
            break;
        }
    }
    Ok(())
}

/// Reads the next line into `line`, at most `longest` bytes of it. Returns whether that is all of it, and `None` at the
/// end of the input.
fn read_line(
    input: &mut impl BufRead,
    longest: u64,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    line.clear();
    line.shrink_to(1 << 16);
    let read = input.take(longest).read_until(b'\n', line)?;
    if read as u64 == longest && !line.ends_with(b"\n") {
        let rest = input.skip_until(b'\n')?;
        return Ok(Some(rest == 0));
    }
    Ok((read > 0).then_some(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn a_line_that_is_too_long_is_passed_over_as_a_whole() {
        let mut input = &b"abc\nabcd\nabcdefgh\n\nabcd"[..];
        let mut line = Vec::new();
        let mut lines = Vec::new();
        while let Some(is_whole) = read_line(&mut input, 4, &mut line).unwrap() {
            lines.push((String::from_utf8(line.clone()).unwrap(), is_whole));
        }
        let expected = [
            ("abc\n", true),
            ("abcd", false),
            ("abcd", false),
            ("\n", true),
            ("abcd", true),
        ];
        assert_eq!(
            lines,
            expected.map(|(line, is_whole)| (line.to_owned(), is_whole))
        );
    }

    #[test]
    fn only_a_request_that_waits_is_cancelled() {
        let cancelled =
            |id: u8| json!({"method": "notifications/cancelled", "params": {"requestId": id}});
        let lines = format!(
            "{}\n{}\n{}\nx\n",
            json!({"id": 1}),
            cancelled(1),
            cancelled(2)
        );
        let (pending, (sender, messages)) = (Pending::default(), sync_channel(9));
        read_messages(&mut lines.as_bytes(), &pending, &sender).unwrap();
        drop(sender);
        let lines: Vec<Line> = messages.iter().collect();
        let lines = lines.iter().map(Option::as_deref);
        let expected: [Option<&[u8]>; 2] = [Some(b"{\"id\":1}\n"), Some(b"x\n")];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
        assert!(pending.is_cancelled(&json!(1)) && !pending.is_cancelled(&json!(2)));
        assert!(pending.end(&json!(1)) && !pending.end(&json!(1)));
    }
}
