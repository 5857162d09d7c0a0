//! jieba with its own dictionary, for tests and benches that compare with it. The dictionary is read from where cargo has
//! unpacked jieba-rs: embedded, as a feature of that crate has it, it needs 18 crates more.

use std::fs::File;
use std::io::BufReader;
use std::process::Command;

use jieba_rs::Jieba;

/// Returns jieba as most people use it.
pub(crate) fn jieba() -> Jieba {
    Jieba::with_dict(&mut dictionary()).expect("a dictionary")
}

/// Opens its dictionary.
pub(crate) fn dictionary() -> BufReader<File> {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    let metadata = String::from_utf8_lossy(&metadata.stdout).replace("\\\\", "\\");
    let manifests = metadata.split("\"manifest_path\":\"").skip(1);
    let folder = manifests
        .filter_map(|rest| rest.split_once("Cargo.toml\"").map(|(folder, _)| folder))
        .find(|folder| folder.contains("jieba-rs-"))
        .expect("jieba-rs is a dependency");
    BufReader::new(File::open(format!("{folder}src/data/dict.txt")).expect("its dictionary"))
}
