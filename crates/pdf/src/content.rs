//! The operators of a page to glyphs with places.

use std::ops::Deref;
use std::rc::Rc;

use hayro_cmap::BfString;
use hayro_font::kurbo::{Affine, Point, Vec2};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::dict::keys::{
    ANNOTS, AP, AS, BBOX, F, MATRIX, N, PARENT, RECT, RESOURCES, SUBTYPE, V,
};
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Rect, Stream, String as PdfString};
use hayro_syntax::page::{Page, Resources};

use crate::Budget;
use crate::Refusal;
use crate::face::{Face, Faces, expanded};

/// How deep forms may be in forms, and states in states.
const DEPTH: usize = 24;
const STATES: usize = 256;

/// How many glyphs a page may have.
const GLYPHS: usize = 1 << 20;

/// The size of the text of a field that has no look of its own.
const FIELD_SIZE: f64 = 10.0;

/// Annotations that are hidden or not for a screen.
const UNSEEN: u32 = 1 << 1 | 1 << 5;

/// The glyphs of a page.
#[derive(Default)]
pub(crate) struct Glyphs {
    /// The characters of all glyphs.
    pub(crate) text: String,
    pub(crate) glyphs: Vec<Glyph>,
}

/// A glyph with its place. The page is turned so that the glyph is written from left to right, and lines follow downwards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyph {
    /// Where its characters begin and end in the text of all glyphs.
    pub(crate) text: (usize, usize),
    /// How often the page was turned by a right angle.
    pub(crate) turns: u8,
    /// Where it begins and ends on its line.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Where its line is.
    pub(crate) base: f64,
    /// The size of its font.
    pub(crate) size: f64,
}

/// The state that operators change.
#[derive(Clone)]
struct State<'a> {
    page: Affine,
    face: Option<Rc<Face<'a>>>,
    size: f64,
    stretch: f64,
    leading: f64,
    char_space: f64,
    word_space: f64,
    rise: f64,
    matrix: Affine,
    line: Affine,
}

/// Reads the pages of a file.
pub(crate) struct Reader<'a> {
    pub(crate) budget: Budget,
    faces: Faces<'a>,
    glyphs: Glyphs,
    size: (f64, f64),
    /// The text that the content gives for the glyphs to come, until a marked part of this depth ends.
    actual: Option<(usize, Option<String>)>,
    marked: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            faces: Faces::new(),
            glyphs: Glyphs::default(),
            size: (0.0, 0.0),
            actual: None,
            marked: 0,
        }
    }

    /// Returns the glyphs of a page and of its forms, in the order in which they are drawn.
    pub(crate) fn page(&mut self, page: &Page<'a>) -> Result<Glyphs, Refusal> {
        let (width, height) = page.render_dimensions();
        self.size = (width.into(), height.into());
        let [a, b, c, d, e, f] = page.initial_transform(true).as_coeffs();
        let start = Affine::new([a, b, c, d, e, f]);
        self.budget
            .spend_content(page.page_stream().map_or(0, <[u8]>::len), Budget::PAGE)?;
        self.run(page.typed_operations(), page.resources(), start, 0)?;
        if let Some(annotations) = page.raw().get::<Array<'a>>(ANNOTS) {
            for annotation in annotations.iter::<Dict<'a>>() {
                self.budget.spend(1)?;
                self.annotation(&annotation, page.resources(), start)?;
            }
        }
        Ok(std::mem::take(&mut self.glyphs))
    }

    /// Reads the text that a note or a field of a form shows.
    fn annotation(
        &mut self,
        annotation: &Dict<'a>,
        resources: &Resources<'a>,
        start: Affine,
    ) -> Result<(), Refusal> {
        let is_link = annotation
            .get::<Name<'_>>(SUBTYPE)
            .is_some_and(|kind| kind.deref() == b"Link");
        if is_link || annotation.get::<u32>(F).unwrap_or(0) & UNSEEN != 0 {
            return Ok(());
        }
        let Some(place) = annotation.get::<Rect>(RECT) else {
            return Ok(());
        };
        let looks = annotation
            .get::<Dict<'a>>(AP)
            .and_then(|looks| looks.get::<Object<'a>>(N));
        let look = match looks {
            Some(Object::Stream(look)) => Some(look),
            Some(Object::Dict(states)) => annotation
                .get::<Name<'_>>(AS)
                .and_then(|state| states.get::<Stream<'a>>(state)),
            _ => None,
        };
        let shown = self.glyphs.glyphs.len();
        if let Some(look) = look {
            let dict = look.dict();
            let matrix = dict
                .get::<[f64; 6]>(MATRIX)
                .map_or(Affine::IDENTITY, Affine::new);
            let corner = dict
                .get::<Rect>(BBOX)
                .map_or(Point::ZERO, |b| Point::new(b.x0, b.y0));
            let moved = Point::new(place.x0, place.y0) - matrix * corner;
            self.form(&look, resources, start * Affine::translate(moved), 0)?;
        }
        // A field whose look is left to the program that shows it.
        let parent = || annotation.get::<Dict<'a>>(PARENT)?.get::<PdfString<'_>>(V);
        if self.glyphs.glyphs.len() == shown
            && let Some(value) = annotation.get::<PdfString<'_>>(V).or_else(parent)
        {
            let size = FIELD_SIZE.min(place.height());
            let to_page = start * Affine::translate((place.x0, place.y0)) * Affine::scale(size);
            let width = (place.width() / size, 0.0);
            self.place(
                to_page,
                true,
                width,
                Some(BfString::String(decoded(&value))),
            );
        }
        Ok(())
    }

    /// Reads a form: a stream of content that pages share.
    fn form(
        &mut self,
        form: &Stream<'a>,
        resources: &Resources<'a>,
        page: Affine,
        depth: usize,
    ) -> Result<(), Refusal> {
        if depth == DEPTH {
            return Ok(());
        }
        let dict = form.dict();
        let matrix = dict
            .get::<[f64; 6]>(MATRIX)
            .map_or(Affine::IDENTITY, Affine::new);
        let own = dict.get::<Dict<'a>>(RESOURCES).map(Resources::new);
        let Some(content) = expanded(form) else {
            return Ok(());
        };
        self.budget.spend_content(content.len(), Budget::FORM)?;
        let resources = own.as_ref().unwrap_or(resources);
        self.run(
            TypedIter::new(&content),
            resources,
            page * matrix,
            depth + 1,
        )
    }

    fn run(
        &mut self,
        mut operators: TypedIter<'_>,
        resources: &Resources<'a>,
        page: Affine,
        depth: usize,
    ) -> Result<(), Refusal> {
        let mut states = Vec::new();
        let mut state = State {
            page,
            face: None,
            size: 1.0,
            stretch: 1.0,
            leading: 0.0,
            char_space: 0.0,
            word_space: 0.0,
            rise: 0.0,
            matrix: Affine::IDENTITY,
            line: Affine::IDENTITY,
        };
        let outside = (self.marked, self.actual.take());
        while let Some(operator) = operators.next() {
            self.budget.spend(1)?;
            match operator {
                TypedInstruction::SaveState(_) if states.len() < STATES => {
                    states.push(state.clone());
                }
                TypedInstruction::RestoreState(_) => {
                    if let Some(saved) = states.pop() {
                        state = saved;
                    }
                }
                TypedInstruction::Transform(t) => {
                    state.page *= affine([t.0, t.1, t.2, t.3, t.4, t.5]);
                }
                TypedInstruction::BeginText(_) => state.begin(Affine::IDENTITY),
                TypedInstruction::TextFont(font) => {
                    state.face = self.faces.named(&resources.fonts, font.0);
                    state.size = font.1.as_f64();
                }
                TypedInstruction::CharacterSpacing(n) => state.char_space = n.0.as_f64(),
                TypedInstruction::WordSpacing(n) => state.word_space = n.0.as_f64(),
                TypedInstruction::HorizontalScaling(n) => state.stretch = n.0.as_f64() / 100.0,
                TypedInstruction::TextLeading(n) => state.leading = n.0.as_f64(),
                TypedInstruction::TextRise(n) => state.rise = n.0.as_f64(),
                TypedInstruction::SetTextMatrix(t) => {
                    state.begin(affine([t.0, t.1, t.2, t.3, t.4, t.5]));
                }
                TypedInstruction::NextLine(n) => state.next_line(n.0.as_f64(), n.1.as_f64()),
                TypedInstruction::NextLineAndSetLeading(n) => {
                    state.leading = -n.1.as_f64();
                    state.next_line(n.0.as_f64(), n.1.as_f64());
                }
                TypedInstruction::NextLineUsingLeading(_) => state.next_line(0.0, -state.leading),
                TypedInstruction::ShowText(shown) => self.show(&mut state, shown.0.as_bytes())?,
                TypedInstruction::NextLineAndShowText(shown) => {
                    state.next_line(0.0, -state.leading);
                    self.show(&mut state, shown.0.as_bytes())?;
                }
                TypedInstruction::ShowTextWithParameters(shown) => {
                    state.word_space = shown.0.as_f64();
                    state.char_space = shown.1.as_f64();
                    state.next_line(0.0, -state.leading);
                    self.show(&mut state, shown.2.as_bytes())?;
                }
                TypedInstruction::ShowTexts(shown) => {
                    for part in shown.0.iter::<Object<'_>>() {
                        match part {
                            Object::Number(by) => state.adjust(by.as_f64()),
                            Object::String(bytes) => self.show(&mut state, bytes.as_bytes())?,
                            _ => {}
                        }
                    }
                }
                TypedInstruction::XObject(name) => {
                    let form = resources.get_x_object(name.0);
                    let is_form = |form: &Stream<'_>| {
                        let kind = form.dict().get::<Name<'_>>(SUBTYPE);
                        kind.is_some_and(|kind| kind.deref() == b"Form")
                    };
                    if let Some(form) = form.filter(is_form) {
                        self.form(&form, resources, state.page, depth)?;
                    }
                }
                TypedInstruction::BeginMarkedContent(_) => self.marked += 1,
                TypedInstruction::BeginMarkedContentWithProperties(marked) => {
                    self.marked += 1;
                    self.begin_actual(marked.1, resources);
                }
                TypedInstruction::EndMarkedContent(_) => {
                    if self
                        .actual
                        .as_ref()
                        .is_some_and(|(depth, _)| *depth == self.marked)
                    {
                        self.actual = None;
                    }
                    self.marked = self.marked.saturating_sub(1);
                }
                _ => {}
            }
        }
        (self.marked, self.actual) = outside;
        Ok(())
    }

    /// Notes the text that is given for the glyphs of a marked part.
    fn begin_actual(&mut self, properties: &Object<'_>, resources: &Resources<'a>) {
        let actual = match properties {
            Object::Dict(dict) => dict
                .get::<PdfString<'_>>(b"ActualText")
                .map(|text| decoded(&text)),
            Object::Name(name) => {
                let dict = resources.properties.get::<Dict<'a>>(name);
                dict.and_then(|dict| Some(decoded(&dict.get::<PdfString<'_>>(b"ActualText")?)))
            }
            _ => None,
        };
        if let (Some(text), None) = (actual, &self.actual) {
            self.actual = Some((self.marked, Some(text)));
        }
    }

    /// Places the glyphs of a string.
    fn show(&mut self, state: &mut State<'a>, mut bytes: &[u8]) -> Result<(), Refusal> {
        let Some(face) = state.face.clone() else {
            return Ok(());
        };
        let is_horizontal = face.is_horizontal();
        while !bytes.is_empty() {
            self.budget.spend(Budget::GLYPH)?;
            let shown = face.first(bytes);
            bytes = &bytes[shown.length.min(bytes.len())..];
            let (x, y) = shown.advance;
            let text = match &mut self.actual {
                Some((_, text)) => text.take().map(BfString::String),
                None => shown.text,
            };
            self.place(state.to_page(), is_horizontal, (x, y), text);
            let space = state.char_space
                + if shown.is_space {
                    state.word_space
                } else {
                    0.0
                };
            let by = if is_horizontal {
                Vec2::new((x * state.size + space) * state.stretch, 0.0)
            } else {
                Vec2::new(0.0, y * state.size + space)
            };
            state.matrix *= Affine::translate(by);
        }
        Ok(())
    }

    /// Notes a glyph and its place, if it is on the page. `to_page` leads from the glyph, at the size 1, to the page.
    fn place(
        &mut self,
        to_page: Affine,
        is_horizontal: bool,
        advance: (f64, f64),
        text: Option<BfString>,
    ) {
        let [a, b, c, d, ..] = to_page.as_coeffs();
        // Along the line, and across it.
        let (along, across) = match is_horizontal {
            true => (Vec2::new(a, b), Vec2::new(c, d)),
            false => (Vec2::new(-c, -d), Vec2::new(a, b)),
        };
        let start = to_page * Point::ZERO;
        let end = to_page * Point::new(advance.0, advance.1);
        let is_on_page = |at: f64, most: f64| (-1.0..=most + 1.0).contains(&at);
        let size = across.hypot();
        let is_shown = is_on_page(start.x, self.size.0)
            && is_on_page(start.y, self.size.1)
            && end.is_finite()
            && size > 0.0
            && size < 1e4;
        if !is_shown || self.glyphs.glyphs.len() == GLYPHS {
            return;
        }
        let turns: u8 = match (
            along.x.abs() >= along.y.abs(),
            along.x >= 0.0,
            along.y >= 0.0,
        ) {
            (true, true, _) => 0,
            (true, false, _) => 2,
            (false, _, true) => 1,
            (false, _, false) => 3,
        };
        let turned = |at: Point| match turns {
            0 => (at.x, at.y),
            1 => (at.y, -at.x),
            2 => (-at.x, -at.y),
            _ => (-at.y, at.x),
        };
        let ((from, base), (to, _)) = (turned(start), turned(end));
        let begin = self.glyphs.text.len();
        match text {
            Some(BfString::Char(c)) => push_readable(c, &mut self.glyphs.text),
            Some(BfString::String(text)) => {
                text.chars()
                    .for_each(|c| push_readable(c, &mut self.glyphs.text));
            }
            None => return,
        }
        self.glyphs.glyphs.push(Glyph {
            text: (begin, self.glyphs.text.len()),
            turns,
            from: from.min(to),
            to: from.max(to),
            base,
            size,
        });
    }
}

impl State<'_> {
    fn begin(&mut self, matrix: Affine) {
        self.matrix = matrix;
        self.line = matrix;
    }

    /// Returns the way from a glyph, at the size 1, to the page.
    fn to_page(&self) -> Affine {
        let size = Affine::new([
            self.size * self.stretch,
            0.0,
            0.0,
            self.size,
            0.0,
            self.rise,
        ]);
        self.page * self.matrix * size
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.begin(self.line * Affine::translate((x, y)));
    }

    /// Moves by thousandths of the size of the font, backwards.
    fn adjust(&mut self, by: f64) {
        let by = -by / 1000.0 * self.size;
        let is_horizontal = self.face.as_ref().is_none_or(|face| face.is_horizontal());
        let by = if is_horizontal {
            (by * self.stretch, 0.0)
        } else {
            (0.0, by)
        };
        self.matrix *= Affine::translate(by);
    }
}

fn affine(numbers: [Number; 6]) -> Affine {
    Affine::new(numbers.map(|number| number.as_f64()))
}

/// Appends a character as it is read: ligatures as their letters, other spaces as a space. Code points that are no
/// characters are left out.
fn push_readable(c: char, text: &mut String) {
    match c {
        '\u{fb00}' => text.push_str("ff"),
        '\u{fb01}' => text.push_str("fi"),
        '\u{fb02}' => text.push_str("fl"),
        '\u{fb03}' => text.push_str("ffi"),
        '\u{fb04}' => text.push_str("ffl"),
        '\u{fb05}' | '\u{fb06}' => text.push_str("st"),
        '\u{e000}'..='\u{f8ff}' | '\u{fffd}' | '\u{200b}' | '\u{feff}' => {}
        c if c.is_whitespace() => text.push(' '),
        c if c.is_control() => {}
        c => text.push(c),
    }
}

/// Returns the characters of a string that is text: UTF-16 or UTF-8 with a mark, or else Latin.
fn decoded(text: &PdfString<'_>) -> String {
    match text.as_bytes() {
        [0xfe, 0xff, rest @ ..] => {
            let units = rest
                .as_chunks::<2>()
                .0
                .iter()
                .map(|unit| u16::from_be_bytes(*unit));
            char::decode_utf16(units).filter_map(Result::ok).collect()
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        bytes => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
