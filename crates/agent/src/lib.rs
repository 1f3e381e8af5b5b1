//! A generative agent without a town.
