//! Rules of tests: those of Brandub, and others that differ from them.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use hnefi_rules::Rules;

/// Texts of a rule tree, and what stands in their place.
pub(crate) type Change = &'static [(&'static str, &'static str)];

/// Changes of the captures of groups and of the king, of the goal, the ends and the steps.
pub(crate) const CHANGES: [Change; 5] = [
    &[],
    &[(r#""blocked_groups":"none""#, r#""blocked_groups":"groups""#)],
    &[
        (r#""elsewhere":"custodial""#, r#""elsewhere":"four_sides""#),
        (r#""goal":"corner""#, r#""goal":"edge""#),
    ],
    &[
        (r#""quiet_limit":20"#, r#""quiet_limit":0"#),
        (r#""no_move":"pass""#, r#""no_move":"loses""#),
        (r#""count":0,"result":"none""#, r#""count":3,"result":"draw""#),
    ],
    &[(
        r#""range":{"attackers":0,"defenders":0,"king":0}"#,
        r#""range":{"attackers":1,"defenders":2,"king":1}"#,
    )],
];

/// Returns the rules of Brandub.
pub(crate) fn brandub() -> Arc<Rules> {
    Rules::from_json(include_str!("../../rules/tests/brandub-globe.json")).unwrap()
}

/// Returns the rules of Brandub with changes.
pub(crate) fn changed(changes: Change) -> Arc<Rules> {
    let mut text = brandub().to_json();
    for (before, after) in changes {
        assert!(text.contains(before), "{before}");
        text = text.replace(before, after);
    }
    Rules::from_json(&text).unwrap()
}
