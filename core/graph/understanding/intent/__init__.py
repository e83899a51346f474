"""From a message to its intent: rules, likelihoods, and a model where there is one."""
