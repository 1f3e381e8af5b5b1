//! A language model in the process, from a GGUF file.
