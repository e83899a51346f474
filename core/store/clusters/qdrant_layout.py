"""How a collection lies on a cluster: *settings and what a collection was made with* → what to ask the server for.

As Qdrant's documentation advises for many tenants: one collection, the user's id as its tenant, and a graph for each
user and each group instead of one over all (``m`` 0, ``payload_m``), which nobody ever searches.
"""

from __future__ import annotations

from typing import Any

from qdrant_client import models

from core.setting_groups import Qdrant
from core.store import index_rules as rules
from core.store.index import Schema

_WALKED = (rules.TENANT, rules.GROUP)
"""By what a question always asks, so that these have graphs; fields that only narrow it need none."""

Quantization = models.ScalarQuantization | models.BinaryQuantization


def graph_of(settings: Qdrant) -> models.HnswConfigDiff:
    if settings.graph == "people":
        return models.HnswConfigDiff(m=0, payload_m=settings.links)
    return models.HnswConfigDiff(m=settings.links, payload_m=settings.links)


def quantization_of(settings: Qdrant) -> Quantization | None:
    """What the server keeps in memory beside the vectors themselves, which rescore what it finds."""
    if settings.quantization == "scalar":
        config = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
        return models.ScalarQuantization(scalar=config)
    if settings.quantization == "binary":
        return models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True))
    return None


def creation(settings: Qdrant) -> dict[str, Any]:
    """What ``create_collection`` takes beside vectors and metadata."""
    return {
        "shard_number": settings.shards,
        "replication_factor": settings.replicas,
        "write_consistency_factor": settings.write_replicas,
        "hnsw_config": graph_of(settings),
        "quantization_config": quantization_of(settings),
    }


def changes(settings: Qdrant, info: models.CollectionInfo) -> dict[str, Any]:
    """What ``update_collection`` takes where a collection was made otherwise; empty where nothing is to be changed.

    The number of shards is given at the making, and stays.
    """
    config, wanted, found = info.config, graph_of(settings), dict[str, Any]()
    if (config.hnsw_config.m, config.hnsw_config.payload_m) != (wanted.m, wanted.payload_m):
        found["hnsw_config"] = wanted
    quantization = quantization_of(settings)
    if config.quantization_config != quantization:
        found["quantization_config"] = quantization or models.Disabled.DISABLED
    held = (config.params.replication_factor or 1, config.params.write_consistency_factor or 1)
    if held != (settings.replicas, settings.write_replicas):
        found["collection_params"] = models.CollectionParamsDiff(
            replication_factor=settings.replicas, write_consistency_factor=settings.write_replicas
        )
    return found


def field_indexes(schema: Schema) -> dict[str, models.KeywordIndexParams | models.FloatIndexParams]:
    """Field → the index that questions by it need."""
    words = {
        name: models.KeywordIndexParams(
            type=models.KeywordIndexType.KEYWORD, is_tenant=name == rules.TENANT or None, enable_hnsw=name in _WALKED
        )
        for name in schema.indexed_fields
    }
    numbers = {
        name: models.FloatIndexParams(type=models.FloatIndexType.FLOAT, enable_hnsw=False)
        for name in schema.indexed_numbers
    }
    return {**words, **numbers}
