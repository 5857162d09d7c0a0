//! The end of the long help of `dupfind scan`.

/// Examples for every group of options, the words of the report, and the exit status.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  Input:      dupfind scan docs --glob '*.md' --exclude 'docs/archive/**'
              git ls-files -z '*.md' | dupfind scan --files-from - --null
              dupfind scan pages.csv.gz --text-field title,body --id-field url
              jq -c '.articles[]' export.json | dupfind scan - --text-field body
  Text:       dupfind scan novels --shingle-size 5
  Detection:  dupfind scan docs --detectors shingle --min-jaccard 0.5
              dupfind scan docs --min-containment 0.8
  Scope:      dupfind scan drafts --against published
              dupfind scan docs --within 'docs/{*}/'
  Output:     dupfind scan docs -o report.html
              dupfind scan docs --format json | jq '.pairs[] | select(.relation == \"near\")'
              dupfind scan docs --top 20 --show exact,near,contains
              dupfind scan docs -f table
              dupfind scan pages.jsonl --format json --no-pairs | jq '.clusters[].representative'
  Running:    dupfind scan docs --threads 1 --stats
              dupfind scan pages.jsonl --memory-limit 2G --temp-dir /scratch
  Configuration:
              dupfind scan docs --config ci/dupfind.toml

Words in the report:
  relation        what two documents are to each other; --cluster-on has the list
  Jaccard         the shingles that both documents have, as a share of the shingles that at least one
                  has: from 0 to 1
  weighted        the same share, but a shingle counts less the more documents have it. It decides
                  the relation: two documents that share mostly common text have a low one
  Hamming         the number of bits in which the two fingerprints differ
  representative  the document of a cluster that a user would keep, marked with *
  cohesion        how alike the documents of a cluster are: the lowest Jaccard similarity of one of
                  them to the representative. With 1 all have the same shingles. A low value means
                  that some are in the cluster only because they are near to another member

Exit status:
  0  it ran, whether or not there are near-duplicates (dupfind check fails if there are)
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared and reported)";
