//! The fonts of a file: codes to characters and widths.

use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use hayro_cmap::{BfString, CMap, CMapName, CidFamily, load_embedded};
use hayro_font::{
    CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn, UNITS_PER_EM,
};
use hayro_syntax::object::dict::keys::{
    CIDSYSTEMINFO, DESCENDANT_FONTS, ENCODING, ORDERING, REGISTRY, TO_UNICODE,
};
use hayro_syntax::object::{
    Array, Dict, Name, Object, ObjectIdentifier, Stream, String as PdfString,
};

/// A font at work.
pub(crate) struct Face<'a> {
    font: Font<'a>,
    collection: Option<Collection>,
}

/// The characters of a font that names them by their numbers in a collection of Adobe, and has no map to Unicode.
struct Collection {
    encoding: CMap,
    unicode: CMap,
}

/// A code of a string, and its glyph.
pub(crate) struct Shown {
    /// How many bytes the code has.
    pub(crate) length: usize,
    /// Whether it is the code of a space, of one byte.
    pub(crate) is_space: bool,
    /// How far the next glyph is, in parts of the size of the font: to the right, or up.
    pub(crate) advance: (f64, f64),
    /// Its characters, if they are known.
    pub(crate) text: Option<BfString>,
}

impl<'a> Face<'a> {
    /// Returns the first code of a string that has some bytes.
    pub(crate) fn first(&self, bytes: &[u8]) -> Shown {
        let (code, length) = self.font.read_code(bytes, 0);
        let advance = self.font.code_advance(code) / f64::from(UNITS_PER_EM);
        Shown {
            length: length.max(1),
            is_space: code == 32 && length == 1,
            advance: (advance.x, advance.y),
            text: self.unicode(code, length),
        }
    }

    /// Returns whether it is written from left to right.
    pub(crate) fn is_horizontal(&self) -> bool {
        self.font.is_horizontal()
    }

    fn unicode(&self, code: u32, length: usize) -> Option<BfString> {
        if let Some(Collection { encoding, unicode }) = &self.collection {
            let cid = encoding.lookup_cid_code(code, u8::try_from(length).ok()?)?;
            return unicode.lookup_bf_string(cid);
        }
        match self.font.glyph(self.font.map_code(code), code) {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        }
    }
}

impl Collection {
    fn of(dict: &Dict<'_>) -> Option<Self> {
        let descendant = dict
            .get::<Array<'_>>(DESCENDANT_FONTS)?
            .iter::<Dict<'_>>()
            .next()?;
        if dict.contains_key(TO_UNICODE) {
            return None;
        }
        let encoding = match dict.get::<Object<'_>>(ENCODING)? {
            Object::Name(name) => match CMapName::from_bytes(name.deref()) {
                CMapName::IdentityH => CMap::identity_h(),
                CMapName::IdentityV => CMap::identity_v(),
                name => CMap::parse(load_embedded(name)?, load_embedded)?,
            },
            Object::Stream(stream) => CMap::parse(&stream.decoded_data().ok()?, load_embedded)?,
            _ => return None,
        };
        let named = encoding.metadata().character_collection.clone();
        let family = named.map(|named| named.family);
        let family = family.filter(|family| *family != CidFamily::AdobeIdentity);
        let family = family.or_else(|| {
            let info = descendant.get::<Dict<'_>>(CIDSYSTEMINFO)?;
            let part = |key| info.get::<PdfString<'_>>(key);
            let (registry, ordering) = (part(REGISTRY)?, part(ORDERING)?);
            Some(CidFamily::from_registry_ordering(
                registry.as_bytes(),
                ordering.as_bytes(),
            ))
        })?;
        let unicode = CMap::parse(load_embedded(family.ucs2_cmap()?)?, load_embedded)?;
        Some(Self { encoding, unicode })
    }
}

/// The fonts of a file that were met.
pub(crate) struct Faces<'a> {
    known: HashMap<ObjectIdentifier, Option<Rc<Face<'a>>>>,
    cache: FontCache<'a>,
    fonts: FontResolverFn,
    maps: CMapResolverFn,
}

impl<'a> Faces<'a> {
    pub(crate) fn new() -> Self {
        Self {
            known: HashMap::new(),
            cache: FontCache::new(),
            fonts: Arc::new(|query| match query {
                FontQuery::Standard(font) => Some(font.get_font_data()),
                FontQuery::Fallback(wanted) => Some(wanted.pick_standard_font().get_font_data()),
            }),
            maps: Arc::new(load_embedded),
        }
    }

    /// Returns the font of a dictionary of fonts with a name, if it can be read.
    pub(crate) fn named(&mut self, fonts: &Dict<'a>, name: &Name<'_>) -> Option<Rc<Face<'a>>> {
        let dict = fonts.get::<Dict<'a>>(name)?;
        let Some(id) = dict.obj_id().filter(|_| fonts.get_ref(name).is_some()) else {
            return self.read(&dict);
        };
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let face = self.read(&dict);
        self.known.insert(id, face.clone());
        face
    }

    fn read(&self, dict: &Dict<'a>) -> Option<Rc<Face<'a>>> {
        let font = self.cache.font(dict, &self.fonts, &self.maps)?;
        let collection = Collection::of(dict);
        Some(Rc::new(Face { font, collection }))
    }
}

/// Returns the content of a stream, expanded, unless it is an image or damaged.
pub(crate) fn expanded(stream: &Stream<'_>) -> Option<Vec<u8>> {
    Some(stream.decoded_data().ok()?.into_owned())
}
