"""Truth and index in step, built anew, backed up and brought back; what is counted meanwhile."""
