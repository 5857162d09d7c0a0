//! What a content repository takes over: the recipes of the guide and the scripts of the action and of
//! the release, run in repositories as they would be there.

mod action;
mod collections;
mod guide;
mod install;
mod packages;
mod repository;
