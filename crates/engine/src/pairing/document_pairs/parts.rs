//! Parts of groups whose pairs have one relation.

use crate::features::document::Document;
use crate::verdict::Titles;
use crate::verdict::name_counts;

/// Cuts the documents of two sets into parts. Returns each part of one with each part of the other: all pairs of two
/// such parts have one relation.
pub(super) fn of_one_relation<'e>(
    documents: &'e [Document],
    x: &[u32],
    y: &[u32],
) -> impl Iterator<Item = (Vec<u32>, Vec<u32>)> + use<'e> {
    let [x, y] = [x, y].map(|some| by_look(documents, some));
    all_of(x, y).flat_map(|(x, y)| {
        let each = names_matter(documents, &x, &y);
        let [x, y] = [x, y].map(|part| match each {
            true => part.into_iter().map(|document| vec![document]).collect(),
            false => vec![part],
        });
        all_of(x, y)
    })
}

/// Returns each part of `x` with each part of `y`.
fn all_of(x: Vec<Vec<u32>>, y: Vec<Vec<u32>>) -> impl Iterator<Item = (Vec<u32>, Vec<u32>)> {
    x.into_iter()
        .flat_map(move |x| y.clone().into_iter().map(move |y| (x.clone(), y)))
}

/// Returns whether the relations between documents of two parts depend on their names. Within a part all have one title
/// and one prose.
pub(super) fn names_matter(documents: &[Document], x: &[u32], y: &[u32]) -> bool {
    let titles = [x[0], y[0]].map(|at| documents[at as usize].title.hash);
    let count = |part: &[u32]| {
        part.iter()
            .any(|&at| name_counts(&documents[at as usize].name))
    };
    Titles::of(titles) == Titles::Differ || count(x) && count(y)
}

/// Returns the documents in parts of one title and one prose.
pub(super) fn by_look(documents: &[Document], some: &[u32]) -> Vec<Vec<u32>> {
    let look = |at: &u32| {
        let Document {
            title, sketches, ..
        } = &documents[*at as usize];
        (title.hash, &sketches.prose)
    };
    let mut some = some.to_vec();
    some.sort_by(|x, y| look(x).cmp(&look(y)));
    let same = some.chunk_by(|x, y| look(x) == look(y));
    same.map(<[u32]>::to_vec).collect()
}
