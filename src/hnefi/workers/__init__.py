"""Worker processes: they answer jobs with low priority and limited memory."""
