//! Each refusal, one by one.
