"""What raters say of a page: read, screened, made figures, taken into a run."""
