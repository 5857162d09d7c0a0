//! Reads rows again, for columns that were not kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use dupfind_decide::KeepRule;
use pyo3::prelude::*;

use crate::call::InputError;
use crate::input::column::{StringColumn, columns, of_arrow, positions};
use crate::input::tables::Tables;
use crate::input::{ColumnNames, TextNames, is_nothing, items, mapping, row};

/// The values of columns in words, by row.
pub(crate) struct Fields(Vec<(String, Vec<Option<String>>)>);

impl Fields {
    /// Returns those that rules ask for. The rows are read again.
    pub(crate) fn of(rules: &[KeepRule], x: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let name = |rule: &KeepRule| match rule {
            KeepRule::Field(name, _) => Some(name.clone()),
            _ => None,
        };
        let names = rules.iter().filter_map(name);
        let of_names = names.map(|name| {
            let values = field_values(x, &name)?;
            Ok((name, values))
        });
        Ok(Self(of_names.collect::<PyResult<_>>()?))
    }

    /// Returns the values of a column; nothing if no rule asks for it.
    pub(crate) fn values(&self, name: &str) -> Vec<Option<String>> {
        let known = self.0.iter().find(|(known, _)| known == name);
        known.map(|(_, values)| values.clone()).unwrap_or_default()
    }
}

fn field_values(x: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Vec<Option<String>>> {
    let x = x.ok_or_else(|| {
        InputError::new_err(format!(
            "the column '{name}' is needed to choose what stays, and the rows can be read only once: \
             scan a table or a list"
        ))
    })?;
    let mut values = Vec::new();
    if let Some(mut tables) = Tables::of(x, &[name])? {
        let names = ColumnNames::new(TextNames::One(name.to_owned()), None)?;
        while let Some(reader) = tables.next()? {
            for batch in reader {
                let batch = batch.map_err(of_arrow)?;
                let (columns, _) = positions(&batch.schema(), &names)?;
                let column = StringColumn::in_words(name, batch.column(columns[0]))?;
                let value = |at: usize| (!column.is_null(at)).then(|| column.value(at).to_owned());
                values.extend((0..column.len()).map(value));
            }
        }
        return Ok(values);
    }
    for item in items(x)? {
        let item = item?;
        let value = match mapping(&item) {
            Some(mapping) if mapping.contains(name)? => mapping.get_item(name)?,
            _ => {
                values.push(None);
                continue;
            }
        };
        values.push(match is_nothing(&value) {
            true => None,
            false => Some(value.str()?.to_string_lossy().into_owned()),
        });
    }
    Ok(values)
}

/// Returns the texts of some rows; none of a row that is not there or has no text. The rows are read again.
pub(crate) fn texts_of_rows(
    x: &Bound<'_, PyAny>,
    names: &ColumnNames,
    rows: &[u64],
) -> PyResult<Vec<Option<String>>> {
    let mut texts = vec![None; rows.len()];
    // The places of each row in the answer. A row may be asked for twice.
    let mut asked: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, &row) in rows.iter().enumerate() {
        asked.entry(row).or_default().push(at);
    }
    let mut take = |places: &[usize], text: &str| {
        for &at in places {
            texts[at] = Some(text.to_owned());
        }
    };
    if let Some(mut tables) = Tables::of(x, &names.read())? {
        let mut start = 0;
        while let Some(reader) = tables.next()? {
            for batch in reader {
                let (column, _) = columns(&batch.map_err(of_arrow)?, names)?;
                let column = Arc::new(column);
                let end = start + column.len() as u64;
                for (row, places) in asked.range(start..end) {
                    let at = usize::try_from(row - start).expect("a position in the column");
                    if let Some(text) = column.text(at) {
                        take(places, text.as_ref());
                    }
                }
                start = end;
                if asked.range(start..).next().is_none() {
                    return Ok(texts);
                }
            }
        }
        return Ok(texts);
    }
    let mut items = items(x)?;
    let mut next = 0;
    for (&row, places) in &asked {
        let skipped = usize::try_from(row - next).unwrap_or(usize::MAX);
        let Some(item) = items.nth(skipped).transpose()? else {
            break;
        };
        next = row + 1;
        if let (_, Some(text)) = self::row(&item, names, row)? {
            take(places, text.as_ref());
        }
    }
    Ok(texts)
}
