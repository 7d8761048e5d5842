"""Logistic regression over `triage.features_of`, in plain Python: one weight per feature and label, with decay."""

import json
import math
from collections import Counter

from marketplace_app.services.support import triage
from tools.bench.triage.messages import Message, read

EPOCHS = 300
LEARNING_RATE = 0.5
WEIGHT_DECAY = 0.004
MIN_OCCURRENCES = 2
"""Rarer features are ignored: they say more about the writer than about the topic."""
MIN_WEIGHT = 0.04


def learn() -> None:
    """Write the weights that the store uses, learnt from the messages that were not held back."""
    examples = [each for each in read() if not each.is_held_back]
    models = {name: fit(examples, name) for name in ("category", "priority")}
    weights = {name: {"biases": model.biases, "weights": model.weights} for name, model in models.items()}
    triage.WEIGHTS.write_text(json.dumps(weights, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{sum(len(model.weights) for model in models.values())} weights from {len(examples)} messages")


def fit(examples: list[Message], attribute: str) -> triage.Model:
    seen = Counter(feature for each in examples for feature in each.features)
    known = {feature for feature, count in seen.items() if count >= MIN_OCCURRENCES}
    training_set = [(sorted(each.features & known), getattr(each, attribute)) for each in examples]
    labels = sorted({wanted for _, wanted in training_set})
    biases = dict.fromkeys(labels, 0.0)
    weights = {feature: dict.fromkeys(labels, 0.0) for feature in sorted(known)}
    for epoch in range(EPOCHS):
        rate = LEARNING_RATE / (1 + epoch / 50)
        for features, wanted in training_set:
            probabilities = _probabilities(biases, weights, features)
            for each in labels:
                error = (each == wanted) - probabilities[each]
                biases[each] += rate * error * 0.1
                for feature in features:
                    gradient = error / math.sqrt(len(features)) - WEIGHT_DECAY * weights[feature][each]
                    weights[feature][each] += rate * gradient
    # Every label keeps its bias, however small: a label without one could not be chosen at all.
    return triage.Model({label: round(bias, 2) for label, bias in biases.items()}, _without_small_weights(weights))


def _probabilities(
    biases: dict[str, float], weights: dict[str, dict[str, float]], features: list[str]
) -> dict[str, float]:
    scores = {label: bias + sum(weights[each][label] for each in features) for label, bias in biases.items()}
    top = max(scores.values())
    powers = {label: math.exp(score - top) for label, score in scores.items()}
    total = sum(powers.values())
    return {label: power / total for label, power in powers.items()}


def _without_small_weights(weights: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    large = {
        feature: {label: round(weight, 2) for label, weight in by_label.items() if abs(weight) >= MIN_WEIGHT}
        for feature, by_label in weights.items()
    }
    return {feature: by_label for feature, by_label in large.items() if by_label}
