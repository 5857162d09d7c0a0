//! What a content repository takes over: the recipes of the README and the scripts of the action and of
//! the release, run in repositories as they would be there.

mod action;
mod install;
mod packages;
mod readme;
mod repository;
