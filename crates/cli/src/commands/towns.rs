//! `townsfolk towns`: what comes with the program.

use std::path::Path;

use serde::Serialize;
use townsfolk_town::Bundled;

use crate::Done;
use crate::args::TownsArgs;
use crate::failure::Failure;
use crate::output;
use crate::page::Look;
use crate::words;

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    title: String,
    story: String,
    start: String,
    residents: Vec<String>,
}

/// Lists the towns, or exports one.
pub(crate) fn towns(args: &TownsArgs) -> Done {
    if let Some([name, folder]) = args.export.as_deref() {
        return export(name, Path::new(folder));
    }
    let mut listed = Vec::new();
    for bundled in Bundled::all() {
        let town = bundled.town().map_err(|error| Failure::Failed(error.into()))?;
        listed.push(Listed {
            name: bundled.name,
            title: town.name,
            story: town.story,
            start: town.start.to_string(),
            residents: town
                .residents
                .iter()
                .map(|resident| resident.identity.name.to_string())
                .collect(),
        });
    }
    if args.json {
        return output::print_json(&listed);
    }
    let mut page = output::page();
    for town in &listed {
        page.gap();
        let residents = words::count(town.residents.len(), "resident", "residents");
        let facts = page.look(
            Look::Faint,
            format!("{}, {residents}, starts {}", town.title, town.start),
        );
        page.line(&format!("{}  {facts}", page.look(Look::Strong, town.name)));
        page.paragraph(2, &town.story);
    }
    page.gap();
    page.line("Run one:   townsfolk run NAME");
    page.line("Edit one:  townsfolk towns --export NAME FOLDER");
    output::print(page.text())
}

fn export(name: &str, folder: &Path) -> Done {
    let town = Bundled::find(name).map_err(Failure::usage)?;
    town.export(folder).map_err(|error| match error.fault {
        townsfolk_town::TownFault::NotEmpty => Failure::usage(error),
        _ => Failure::Failed(error.into()),
    })?;
    let path = words::path(folder);
    let run = if folder.components().count() == 1 && folder.is_relative() {
        format!("./{path}")
    } else {
        path.clone()
    };
    output::print(&format!(
        "{name} is now in {path}; edit it, then: townsfolk check {run} && townsfolk run {run}\n"
    ))
}
