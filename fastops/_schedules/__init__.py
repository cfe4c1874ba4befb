"""Memory, in integers alone: plans laid over byte strides, as the table that the gather kernel runs. No arrays."""
