// Section 10 (PatchABI, PatchObject, their C tests) is being written on branch `patchabi` by another
// hand: leave it out here, keep section 10 of the header as it stands, and do not commit this file.
