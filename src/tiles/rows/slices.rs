//! Tasks that take too long are cut into slices.
//!
//! Pages of one template share many shingles with each other. So a task of two tiles that have them takes many times as
//! long as another one of as many shingles. How long a task takes grows with how many times its sets share a shingle,
//! which is known of every task once the shingles are counted.

use std::collections::BTreeMap;

use crate::tiles::cover::Task;
use crate::tiles::rows::task::Slice;

/// How many slices there are for each core, so that the last ones to end are short.
const FOR_EACH_CORE: u64 = 2;

/// The least work of a slice: what takes about a second.
const LEAST_WORK: u64 = 50_000_000;

/// The most slices of a task. Each one indexes the earlier tile again.
const MOST_SLICES: u64 = 256;

/// Cuts tasks for so many cores. `work` says about how many times the sets of each task share a shingle. Returns the
/// slices, those with the most work first.
pub(super) fn cut(tasks: &[Task], work: &BTreeMap<Task, u64>, cores: u32) -> Vec<Slice> {
    let work_of = |task: &Task| work.get(task).copied().unwrap_or(0);
    let total: u64 = tasks.iter().map(work_of).sum();
    let most = (total / (u64::from(cores.max(1)) * FOR_EACH_CORE)).max(LEAST_WORK);
    let mut slices: Vec<(u64, Slice)> = Vec::new();
    for &task in tasks {
        let work = work_of(&task);
        let count = work.div_ceil(most).clamp(1, MOST_SLICES);
        let count = u32::try_from(count).expect("at most a few hundred");
        slices.extend((0..count).map(|number| {
            let slice = Slice {
                task,
                number,
                count,
            };
            (work / u64::from(count), slice)
        }));
    }
    slices.sort_by_key(|&(work, slice)| (std::cmp::Reverse(work), slice));
    slices.into_iter().map(|(_, slice)| slice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_with_most_of_the_work_is_cut() {
        let task = |earlier, later| Task { earlier, later };
        let tasks = [task(1, 1), task(1, 2), task(2, 2)];
        let work = BTreeMap::from([(tasks[0], 10), (tasks[2], 4_000_000_000)]);
        let slices = cut(&tasks, &work, 2);
        let of = |task| slices.iter().filter(|slice| slice.task == task).count();
        assert_eq!(tasks.map(of), [1, 1, 4]);
        assert_eq!(slices[0].task, tasks[2]);
        assert_eq!(cut(&tasks, &BTreeMap::new(), 2).len(), 3);
    }
}
