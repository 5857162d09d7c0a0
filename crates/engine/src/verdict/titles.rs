//! What the titles, the names and the folders of two documents tell together.

use crate::detect::options::BRIEF;
use crate::features::document::Document;
use crate::text::title::Title;
use crate::verdict::SetMeasures;
use crate::verdict::names::{
    are_in_one_place, are_notes_in_folders, are_of_years, are_one_file, are_titled_after_folders,
    differ_twice_in_subjects, name_counts, name_notes, name_two_releases, name_two_revisions,
    name_two_subjects, texts_name_their_subjects, texts_repeat_their_subjects,
};
use crate::verdict::rules::{
    CONTAINED_WEIGHTED, MOVED_JACCARD, NEAR_JACCARD, ONE_FORM_JACCARD, REWRITTEN_WEIGHTED,
    may_be_part, sketches_matter,
};
use crate::verdict::versions::Versions;

/// Whether two documents have the same title: first what says nothing, then what says that they are one page, then what says
/// that they are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Titles {
    /// One of them has none, or only one is a line of the text.
    Missing,
    /// They have the same.
    Equal,
    /// They have the same, and names in one folder that differ in numbers alone, with a word beside them. Or they are in two
    /// versions of a site, and may be one page that has moved ([`Versions::moved`]): it kept its title or its name, or
    /// they share [`MOVED_JACCARD`].
    Revisions,
    /// They are two versions of a page, and no translations: one file in two folders that differ in versions alone, whatever
    /// their titles are. Or a page that has moved, and kept its title and its name.
    Versions,
    /// They have different ones, or their file names are those of two subjects where a title is missing.
    Differ,
    /// They have different ones, and front matter or the like has both.
    Distinct,
    /// As [`Self::Distinct`], or one name, but their folders are for two subjects, and the texts share less than
    /// [`ONE_FORM_JACCARD`].
    FolderSubjects,
    /// They are for two subjects, in one of these ways:
    ///
    /// * They have different ones and the same parent folder, and the names of their files have a word in common and differ in other
    ///   words, which one of the two may lack.
    /// * They have different ones that are names in code, in any folders.
    /// * Theirs differ in their numbers alone, in one folder or in two folders of years, as those of news do.
    /// * They have different ones with the names of their folders in them, and one name: `# @tea/kettle` in `kettle/CHANGELOG.md`.
    /// * Whatever their titles are, they have one name in two folders for two subjects ([`Versions::are_in_parallel_folders`]), or
    ///   paths that differ twice in the same words, or names of two subjects that other documents are named after,
    ///   too ([`Versions::have_known_subjects`]).
    /// * Their titles do not differ, and each text has a word that only its own path has.
    /// * They are in one folder or have one file name, and each text repeats its own subject, as in [`Self::RepeatedSubjects`].
    Subjects,
    /// The same, and each text has a word that only its own path has at least twice as often as the other one: texts that differ in
    /// little else are for two subjects, too.
    RepeatedSubjects,
    /// They have different ones and the same parent folder, and the names of their files differ in version numbers alone. Or,
    /// whatever their titles are, the names are those of notes about releases, too, or those of their folders are.
    Releases,
}

impl Titles {
    /// Compares the titles of two documents. Their names are looked at if they may be duplicates: names of two subjects
    /// count in place of missing titles. `versions` are those of all documents that are known.
    ///
    /// The first arm that applies decides. They are in this order:
    ///
    /// 1. What the path says, whatever the titles are: two releases (or two posts of a series, in folders of years), one file
    ///    in two versions, and two folders for two subjects. These may be in two versions too (`v1/frame/close.md` and
    ///    `v2/page/close.md`), so they come before 2.
    /// 2. A page that has moved to another version, where it may have another title: so this comes before 3.
    /// 3. Two subjects, by titles that are names in code, by the names of the files, or by words of the paths that the texts have.
    /// 4. Two revisions, by one title and numbers in the names of the files.
    /// 5. Titles that differ, and nothing else.
    pub fn of_two(
        [a, b]: [&Document; 2],
        sets: Option<SetMeasures>,
        versions: &Versions<'_>,
    ) -> Self {
        let titles = Self::of([&a.title, &b.title]);
        if !sets.is_some_and(sketches_matter) {
            return titles;
        }
        let names = [&*a.name, &*b.name];
        let are_numbered = a.sketches.series != 0 && a.sketches.series == b.sketches.series;
        let have_subjects = || name_two_subjects(&a.name, &b.name);
        // A draft under another headline may be rewritten from a page that is published.
        let are_of_one_side = a.is_reference == b.is_reference;
        // A heading of Markdown is written anew more easily than a title beside the text, and a page that contains another
        // one has another heading.
        let is_heading = a.title.is_heading() || b.title.is_heading();
        let shares_little_weight =
            sets.is_none_or(|sets| sets.weighted.containment < CONTAINED_WEIGHTED);
        let shares_much = sets.is_some_and(|sets| sets.jaccard.steps() >= MOVED_JACCARD);
        let is_equal = titles == Self::Equal;
        let moved = versions.moved(names);
        let moved = moved.filter(|keeps_name| is_equal || shares_much || *keeps_name);
        let is_line = a.title.is_line() || b.title.is_line();
        let are_identifiers = !is_line && a.title.is_identifier() && b.title.is_identifier();
        let are_firm = !is_line && (shares_little_weight || !is_heading);
        // A page within another one has few of its words.
        let may_be_near = |sets: SetMeasures| {
            sets.weighted.similarity >= REWRITTEN_WEIGHTED
                && !may_be_part(sets.jaccard, [a.shingles, b.shingles])
        };
        let may_name_subjects = are_of_one_side
            && a.shingles.min(b.shingles) >= BRIEF
            && sets.is_some_and(may_be_near)
            && names.into_iter().all(name_counts);
        let in_two_folders = |titles| match sets {
            Some(sets) if sets.jaccard.steps() < ONE_FORM_JACCARD => Self::FolderSubjects,
            _ => titles,
        };
        // Asked last: it cuts both paths into words.
        let repeat_subjects = || may_name_subjects && texts_repeat_their_subjects([a, b]);
        let found = match (titles, versions.are_siblings(names)) {
            (titles, true)
                if name_two_releases(&a.name, &b.name)
                    && (titles == Self::Differ || name_notes(&a.name)) =>
            {
                Self::Releases
            }
            (Self::Differ, true) if are_numbered && are_of_years(&a.name, &b.name) => {
                match versions.are_editions(names) {
                    true => Self::Revisions,
                    false => Self::Subjects,
                }
            }
            _ if are_notes_in_folders(&a.name, &b.name) => Self::Releases,
            (_, true) if are_one_file(&a.name, &b.name) && !versions.are_translations(names) => {
                Self::Versions
            }
            (_, false)
                if are_of_one_side
                    && (versions.are_in_parallel_folders(names)
                        || differ_twice_in_subjects(&a.name, &b.name)
                        || titles == Self::Differ && are_titled_after_folders([a, b])) =>
            {
                in_two_folders(Self::Subjects)
            }
            _ if moved == Some(true) && is_equal => Self::Versions,
            _ if moved.is_some() => Self::Revisions,
            (Self::Differ, true) if are_identifiers || have_subjects() => Self::Subjects,
            (Self::Differ, false) if are_of_one_side && are_identifiers => {
                in_two_folders(Self::Subjects)
            }
            (Self::Equal | Self::Missing, true) if versions.have_known_subjects(names) => {
                Self::Subjects
            }
            // A title of its own is in the text of a copy that has another name.
            (titles, is_beside)
                if are_in_one_place(&a.name, &b.name) && repeat_subjects()
                    || may_name_subjects
                        && titles != Self::Differ
                        && texts_name_their_subjects([a, b]) =>
            {
                match is_beside {
                    true => Self::Subjects,
                    false => in_two_folders(Self::Subjects),
                }
            }
            (Self::Missing, true) if have_subjects() => Self::Differ,
            (Self::Equal, true) if name_two_revisions(&a.name, &b.name) => Self::Revisions,
            (Self::Differ, true) if are_of_one_side && are_firm => Self::Distinct,
            (Self::Differ, false) if are_of_one_side && are_firm => in_two_folders(Self::Distinct),
            (titles, _) => titles,
        };
        // Nobody asks for it of less similar texts.
        let is_one_text = sets.is_some_and(|sets| sets.jaccard.steps() >= NEAR_JACCARD);
        match found {
            Self::Subjects if is_one_text && repeat_subjects() => Self::RepeatedSubjects,
            found => found,
        }
    }

    /// Returns whether they differ, or names do in their place.
    pub fn differ(self) -> bool {
        match self {
            Self::Missing | Self::Equal | Self::Revisions | Self::Versions => false,
            Self::Differ
            | Self::Distinct
            | Self::FolderSubjects
            | Self::Subjects
            | Self::RepeatedSubjects
            | Self::Releases => true,
        }
    }

    /// Returns whether they or the names say that the two are for two subjects or releases.
    pub fn tell_subjects(self) -> bool {
        matches!(
            self,
            Self::Subjects | Self::RepeatedSubjects | Self::Releases
        )
    }

    /// Returns whether they are those of two versions of a page.
    pub fn are_versions(self) -> bool {
        matches!(self, Self::Revisions | Self::Versions)
    }

    /// Compares two titles. If one of them alone is only a first line, and they differ, one counts as missing.
    pub fn of([a, b]: [&Title; 2]) -> Self {
        match [a.letters(), b.letters()] {
            [0, _] | [_, 0] => Self::Missing,
            [one, other] if one == other && (a.is_counter() || b.is_counter()) => Self::Missing,
            [one, other] if one == other => Self::Equal,
            _ if a.is_line() != b.is_line() => Self::Missing,
            _ => Self::Differ,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::weighted::Weighted;

    #[test]
    fn names_of_two_subjects_count_in_place_of_missing_titles() {
        let sets = SetMeasures::new(
            60,
            140,
            Weighted {
                similarity: 3_000,
                containment: 5_000,
            },
        );
        let titles = |[a, b]: [&str; 2], hashes: [u64; 2], sets| {
            let document = |name: &str, hash| {
                let mut document = Document::sample(name);
                document.title.hash = hash;
                document
            };
            let two = [document(a, hashes[0]), document(b, hashes[1])];
            Titles::of_two([&two[0], &two[1]], sets, &Versions::of_documents(&two))
        };
        let subjects = ["renew/etcd-server.md", "renew/etcd-peer.md"];
        let folders = ["linux/etcd-server.md", "mac/etcd-peer.md"];
        let versions = ["old/etcd.md", "new/etcd.md"];
        let both = ["old/etcd-server.md", "new/etcd-peer.md"];
        let topics = ["mysql/config.md", "redis/config.md"];
        let releases = ["r/etcd-3.4.md", "r/etcd-3.5.md"];
        let notes = ["r/CHANGELOG-3.4.md", "r/CHANGELOG-3.5.md"];
        for (names, hashes, expected) in [
            (subjects, [0, 0], Titles::Differ),
            (subjects, [16, 0], Titles::Differ),
            (subjects, [16, 32], Titles::Subjects),
            (subjects, [16, 16], Titles::Equal),
            (both, [16, 32], Titles::Subjects),
            (versions, [16, 16], Titles::Versions),
            (versions, [0, 0], Titles::Versions),
            (versions, [16, 32], Titles::Versions),
            (["2022/etcd.md", "2023/etcd.md"], [16, 32], Titles::Versions),
            (topics, [0, 0], Titles::Missing),
            (topics, [16, 16], Titles::Equal),
            (releases, [16, 32], Titles::Releases),
            (releases, [16, 0], Titles::Missing),
            (releases, [16, 16], Titles::Revisions),
            (notes, [0, 0], Titles::Releases),
            (notes, [16, 16], Titles::Releases),
            (folders, [16, 16], Titles::Equal),
            (folders, [0, 0], Titles::Missing),
            (folders, [16, 32], Titles::Distinct),
            (folders, [17, 33], Titles::Differ),
            (["etcd.md", "etcd-copy.md"], [0, 0], Titles::Missing),
            // The titles are names in code, or one of them is.
            (["api/get.md", "api/put.md"], [24, 40], Titles::Subjects),
            (["api/get.md", "api/put.md"], [24, 32], Titles::Distinct),
            (folders, [24, 40], Titles::Subjects),
            (versions, [24, 40], Titles::Versions),
        ] {
            let found = titles(names, hashes, sets);
            assert_eq!(found, expected, "{names:?} {hashes:?}");
        }
        assert_eq!(titles(subjects, [0, 0], None), Titles::Missing);
        // News of two years have the year in their titles.
        let mut news = ["2022/vote.md", "2023/vote.md"].map(Document::sample);
        for (document, hash) in news.iter_mut().zip([16, 32]) {
            document.title.hash = hash;
            document.sketches.series = 7;
        }
        let [a, b] = &news;
        let versions = Versions::of_documents(&news);
        assert_eq!(Titles::of_two([a, b], sets, &versions), Titles::Subjects);
    }
}
