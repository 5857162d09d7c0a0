//! Which fields the metadata of a file has, and what each is (parquet.thrift of the format).
//!
//! The crate reads the fields that it knows as what the format says they are, whatever the file says they are; a
//! reader that goes by what the file says would pass over something else, and find nothing wrong with what is read
//! in the end. So a known field that is declared as anything but what it is ends it here, and from then on both
//! read the same bytes as the same fields.

use std::io;

use super::thrift::{Fields, Kind, wrong};

/// What a field is.
#[derive(Debug)]
enum Shape {
    Truth,
    One(Kind),
    List(&'static Shape),
    /// With the fields that are known; others are passed over.
    Structure(&'static [(i16, Shape)]),
}

use Shape::{List, One, Structure, Truth};

const BYTE: Shape = One(Kind::Byte);
const INTEGER: Shape = One(Kind::Integer);
const DOUBLE: Shape = One(Kind::Double);
const BYTES: Shape = One(Kind::Bytes);
const NOTHING: Shape = Structure(&[]);

const TIME: Shape = Structure(&[
    (1, Truth),
    (2, Structure(&[(1, NOTHING), (2, NOTHING), (3, NOTHING)])),
]);

const LOGICAL_TYPE: Shape = Structure(&[
    (1, NOTHING),
    (2, NOTHING),
    (3, NOTHING),
    (4, NOTHING),
    (5, Structure(&[(1, INTEGER), (2, INTEGER)])),
    (6, NOTHING),
    (7, TIME),
    (8, TIME),
    (10, Structure(&[(1, BYTE), (2, Truth)])),
    (11, NOTHING),
    (12, NOTHING),
    (13, NOTHING),
    (14, NOTHING),
    (15, NOTHING),
    (16, Structure(&[(1, BYTE)])),
    (17, Structure(&[(1, BYTES)])),
    (18, Structure(&[(1, BYTES), (2, INTEGER)])),
]);

const SCHEMA_ELEMENT: Shape = Structure(&[
    (1, INTEGER),
    (2, INTEGER),
    (3, INTEGER),
    (4, BYTES),
    (5, INTEGER),
    (6, INTEGER),
    (7, INTEGER),
    (8, INTEGER),
    (9, INTEGER),
    (10, LOGICAL_TYPE),
]);

const KEY_VALUE: Shape = Structure(&[(1, BYTES), (2, BYTES)]);

const STATISTICS: Shape = Structure(&[
    (1, BYTES),
    (2, BYTES),
    (3, INTEGER),
    (4, INTEGER),
    (5, BYTES),
    (6, BYTES),
    (7, Truth),
    (8, Truth),
    (9, INTEGER),
]);

const PAGE_ENCODING: Shape = Structure(&[(1, INTEGER), (2, INTEGER), (3, INTEGER)]);

const SIZES: Shape = Structure(&[(1, INTEGER), (2, List(&INTEGER)), (3, List(&INTEGER))]);

const BOX: Shape = Structure(&[
    (1, DOUBLE),
    (2, DOUBLE),
    (3, DOUBLE),
    (4, DOUBLE),
    (5, DOUBLE),
    (6, DOUBLE),
    (7, DOUBLE),
    (8, DOUBLE),
]);

const PLACES: Shape = Structure(&[(1, BOX), (2, List(&INTEGER))]);

const COLUMN: Shape = Structure(&[
    (1, INTEGER),
    (2, List(&INTEGER)),
    (3, List(&BYTES)),
    (4, INTEGER),
    (5, INTEGER),
    (6, INTEGER),
    (7, INTEGER),
    (8, List(&KEY_VALUE)),
    (9, INTEGER),
    (10, INTEGER),
    (11, INTEGER),
    (12, STATISTICS),
    (13, List(&PAGE_ENCODING)),
    (14, INTEGER),
    (15, INTEGER),
    (16, SIZES),
    (17, PLACES),
]);

const COLUMN_CHUNK: Shape = Structure(&[
    (1, BYTES),
    (2, INTEGER),
    (3, COLUMN),
    (4, INTEGER),
    (5, INTEGER),
    (6, INTEGER),
    (7, INTEGER),
    (9, BYTES),
]);

const SORTING: Shape = Structure(&[(1, INTEGER), (2, Truth), (3, Truth)]);

const ROW_GROUP: Shape = Structure(&[
    (1, List(&COLUMN_CHUNK)),
    (2, INTEGER),
    (3, INTEGER),
    (4, List(&SORTING)),
    (5, INTEGER),
    (6, INTEGER),
    (7, INTEGER),
]);

static FILE: Shape = Structure(&[
    (1, INTEGER),
    (2, List(&SCHEMA_ELEMENT)),
    (3, INTEGER),
    (4, List(&ROW_GROUP)),
    (5, List(&KEY_VALUE)),
    (6, BYTES),
    (7, List(&Structure(&[(1, NOTHING), (2, NOTHING)]))),
    (9, BYTES),
]);

/// Goes through the metadata of a file and returns how many structures it has.
pub(super) fn structures(bytes: &[u8]) -> io::Result<u64> {
    let mut fields = Fields::new(bytes);
    read(&mut fields, &FILE, Kind::Structure)?;
    Ok(fields.structures)
}

/// Passes over a field of a shape that the file says is of this kind.
fn read(fields: &mut Fields<&[u8]>, shape: &Shape, kind: Kind) -> io::Result<()> {
    match (shape, kind) {
        (Truth, Kind::True | Kind::False) => Ok(()),
        (One(known), kind) if *known == kind => fields.skip(kind),
        (List(element), Kind::List) => {
            let (count, kind) = fields.list()?;
            for _ in 0..count {
                read(fields, element, kind)?;
            }
            Ok(())
        }
        (Structure(known), Kind::Structure) => {
            let mut number = 0;
            while let Some((next, kind)) = fields.next(number)? {
                number = next;
                match known.iter().find(|(known, _)| *known == number) {
                    Some((_, shape)) => read(fields, shape, kind)?,
                    None => fields.skip(kind)?,
                }
            }
            Ok(())
        }
        _ => Err(wrong("a field is not of the type that the format says")),
    }
}
