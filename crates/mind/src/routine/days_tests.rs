use townsfolk_time::{Date, clock};

use super::super::fixtures::{rules, townspeople};
use super::*;
use crate::Task;
use crate::tasks::{HourlySchedule, WakeUp};

#[test]
fn print_days() {
    for (i, t) in townspeople("x").unwrap().iter().enumerate() {
        let rules = rules(i as u16, 0);
        let date = Date::constant(2023, 2, 13);
        let wake = WakeUp { who: &t.who, date }.by_rule(&rules).minute;
        let (recalled, known_places) = (t.recalled(), t.sectors());
        let plan = DayPlan {
            who: &t.who,
            date,
            wake,
            appointments: &[],
            recalled: &recalled,
            known_places: &known_places,
        };
        let strokes = plan.by_rule(&rules);
        plan.check(&strokes).unwrap();
        let hourly = HourlySchedule {
            who: &t.who,
            date,
            wake,
            strokes: &strokes.strokes,
        };
        let blocks = hourly.by_rule(&rules);
        hourly.check(&blocks).unwrap();
        eprintln!("## {} {} strokes", t.who.name, strokes.strokes.len());
        for b in &blocks.blocks {
            eprintln!(
                "   {} {}{}",
                clock(b.start),
                b.activity,
                if b.asleep { " zzz" } else { "" }
            );
        }
    }
}
