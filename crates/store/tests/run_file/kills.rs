//! A writer that dies at any moment leaves whole ticks, and its run ends as if it had not died.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::tempdir;
use townsfolk_store::*;

use crate::sample;

const LAST: Tick = 3_000;

/// What an engine does: resume from the last checkpoint, use replies already bought, buy the rest.
/// Purchases are noted in `shop`, outside the run; with so many bytes of them it waits to be killed.
fn play(path: &Path, shop: &Path, enough: u64) {
    let mut writer = if path.exists() {
        RunWriter::open(path).unwrap()
    } else {
        RunWriter::create(path, &sample::new_run()).unwrap()
    };
    let checkpoint = writer.read().last_checkpoint().unwrap();
    if let Some(checkpoint) = &checkpoint {
        assert_eq!(checkpoint.row, sample::state(checkpoint.tick));
    }
    writer
        .truncate_after(checkpoint.map(|checkpoint| checkpoint.tick))
        .unwrap();
    let mut shop = OpenOptions::new().create(true).append(true).open(shop).unwrap();
    for tick in writer.head().map_or(0, |head| head + 1)..=LAST {
        let mut rows = sample::tick_rows(tick);
        if sample::asks_a_model(tick) {
            let call = sample::call(tick, sample::REPLY);
            let known = writer.read().call(&call.key).unwrap();
            let call = match known {
                Some(known) => known.id,
                None => {
                    writeln!(shop, "{tick}").unwrap();
                    while shop.metadata().unwrap().len() >= enough {
                        std::thread::sleep(Duration::from_millis(10));
                    }
                    writer.record_call(&call).unwrap()
                }
            };
            rows.tasks[0].calls = vec![UsedCall { attempt: 0, call }];
        }
        writer.commit(&rows).unwrap();
        if tick.is_multiple_of(100) {
            writer.checkpoint(tick, &sample::state(tick)).unwrap();
        }
    }
    writer.finish(RunState::Finished).unwrap();
}

#[test]
#[ignore = "plays the process that gets killed; started by the test below"]
fn writing_process() {
    let Ok(path) = std::env::var("TOWNSFOLK_TEST_RUN") else {
        return;
    };
    let path = Path::new(&path);
    let enough = std::env::var("TOWNSFOLK_TEST_SHOP").unwrap().parse().unwrap();
    play(path, &path.with_extension("shop"), enough);
}

fn start_writing(path: &Path, enough: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kills::writing_process", "--ignored", "--nocapture"])
        .env("TOWNSFOLK_TEST_RUN", path)
        .env("TOWNSFOLK_TEST_SHOP", enough.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

#[test]
fn killed_many_times_it_ends_the_same() {
    let folder = tempdir().unwrap();
    let straight = folder.path().join("straight.run");
    play(&straight, &folder.path().join("straight.shop"), u64::MAX);
    let straight = RunReader::open(&straight).unwrap();

    let path = folder.path().join("killed.run");
    let shop = path.with_extension("shop");
    let spent = || fs::metadata(&shop).map_or(0, |found| found.len());
    let mut chance = 0x5eed_u64;
    let mut draw = |below: u64| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (chance >> 33) % below
    };
    let mut kills = 0;
    let mut heads = Vec::new();
    loop {
        // Die some purchases further on, at any point of a tick; one time in six, while starting.
        let enough = if draw(6) == 0 { 0 } else { spent() + draw(800) };
        let moment = Duration::from_micros(draw(3_000));
        // Should nobody look at it for a while, it still comes not much further.
        let mut writing = start_writing(&path, enough + 800);
        while spent() < enough && writing.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(moment);
        writing.kill().unwrap();
        if writing.wait().unwrap().success() || kills == 40 {
            break;
        }
        kills += 1;
        if !path.exists() {
            continue;
        }
        let reader = RunReader::open(&path).unwrap();
        reader.check().unwrap();
        if let Some(head) = reader.head().unwrap() {
            assert_eq!(
                reader.digest().unwrap(),
                straight.digest_at(head).unwrap(),
                "torn at {head}"
            );
            heads.push(head);
        }
    }
    assert!(start_writing(&path, u64::MAX).wait().unwrap().success());
    assert!(
        heads.len() > 3,
        "the kills came too early or too late to say anything: {heads:?}"
    );

    let reader = RunReader::open(&path).unwrap();
    assert_eq!(reader.digest().unwrap(), straight.digest().unwrap());
    assert_eq!(reader.info().unwrap().state, RunState::Finished);
    let purchases = fs::read_to_string(path.with_extension("shop"))
        .unwrap()
        .lines()
        .count();
    let needed = (LAST / 2) as usize;
    assert!(
        purchases <= needed + kills,
        "{purchases} purchases for {needed} replies and {kills} kills: some were bought twice"
    );
    for suffix in ["-wal", "-shm", "-new", "-probe"] {
        assert!(
            !folder.path().join(format!("killed.run{suffix}")).exists(),
            "{suffix} was left"
        );
    }
}

#[test]
fn a_log_cut_anywhere_ends_with_a_whole_tick() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("whole.run");
    let writer = sample::written(&path, 60);
    let log = fs::read(folder.path().join("whole.run-wal")).unwrap();
    let mut heads = Vec::new();
    for cut in (0..log.len()).step_by(log.len() / 40) {
        let copy = folder.path().join(format!("cut at {cut}.run"));
        fs::copy(&path, &copy).unwrap();
        fs::write(folder.path().join(format!("cut at {cut}.run-wal")), &log[..cut]).unwrap();
        let reader = RunReader::open(&copy).unwrap();
        reader.check().unwrap();
        if let Some(head) = reader.head().unwrap() {
            assert_eq!(reader.digest().unwrap(), writer.read().digest_at(head).unwrap());
            heads.push(head);
        }
    }
    assert!(heads.is_sorted() && heads.len() > 30, "{heads:?}");
}
