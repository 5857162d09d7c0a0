//! The end of the long help of `dupfind scan`.

/// The end of the short help.
pub(crate) const SHORT: &str = "--help lists all options. 'dupfind' alone lists the commands.";

/// Examples for every group of options, the words of the report, and the exit status.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  Input:      dupfind docs --glob '*.md' --exclude 'docs/archive/**'
              git ls-files -z '*.md' | dupfind --files-from -
              dupfind pages.csv.gz --text-field title,body --id-field url
              jq -c '.articles[]' export.json | dupfind - --text-field body
  Text:       dupfind novels --shingle-size 5
  Detection:  dupfind docs --detectors shingle --min-jaccard 0.5
              dupfind docs --min-containment 0.8
  Scope:      dupfind drafts --against published
              dupfind docs --within 'docs/{*}/'
  Output:     dupfind docs -o report.html
              dupfind docs --format json | jq '.pairs[] | select(.relation == \"near\")'
              dupfind docs --top 20 --show exact,near,contains
              dupfind docs -f table
              dupfind pages.jsonl --format json --no-pairs | jq '.clusters[].representative'
  Running:    dupfind docs --threads 1 --stats
              dupfind pages.jsonl --memory-limit 2G
              dupfind docs --config ci/dupfind.toml

Words in the report:
  relation        what two documents are to each other: exact, the same text; near, copies with changes; contains, one
                  within the other; variant, the same page for another subject; related, they share something rare;
                  template, what they share is common text; short, too short to judge
  Jaccard         the shingles that both documents have, as a share of the shingles that at least one
                  has: from 0 to 1
  weighted        the same share, but a shingle counts less the more documents have it. It decides
                  the relation: two documents that share mostly common text have a low one
  Hamming         the number of bits in which the two fingerprints differ
  representative  the document of a cluster that a user would keep, marked with *
  least similarity
                  how alike the documents of a cluster are: the lowest Jaccard similarity of one of
                  them to the representative. With 1 all have the same shingles. A low value means
                  that some are in the cluster only because they are near to another member

Exit status:
  0  it ran, whether or not there are near-duplicates; 'dupfind check' fails because of them
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared and reported)";
