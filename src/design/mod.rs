//! What we will build: the tool-neutral plan between routing and the two descriptions of behaviour
//! (RTL and golden model).
