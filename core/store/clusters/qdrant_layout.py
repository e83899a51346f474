"""Configures a collection on a cluster: *settings and the collection's current state* → the requests to the server.

It follows Qdrant's documentation for many tenants: one collection, the user's id as the tenant, and a search graph for
each user and each group instead of one for all (``m`` 0, ``payload_m``), which no search would use.
"""

from __future__ import annotations

from typing import Any

from qdrant_client import models

from core.setting_groups import Qdrant
from core.store import index_rules as rules
from core.store.index import Schema

_WALKED = (rules.TENANT, rules.GROUP)
"""Fields that every query filters by, so each gets a graph; fields that only narrow a query need none."""

Quantization = models.ScalarQuantization | models.BinaryQuantization


def graph_of(settings: Qdrant) -> models.HnswConfigDiff:
    if settings.graph == "people":
        return models.HnswConfigDiff(m=0, payload_m=settings.links)
    return models.HnswConfigDiff(m=settings.links, payload_m=settings.links)


def quantization_of(settings: Qdrant) -> Quantization | None:
    """The quantized copy that the server keeps in memory in addition to the vectors, which re-score its results."""
    if settings.quantization == "scalar":
        config = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
        return models.ScalarQuantization(scalar=config)
    if settings.quantization == "binary":
        return models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True))
    return None


def creation(settings: Qdrant) -> dict[str, Any]:
    """The arguments of ``create_collection`` besides vectors and metadata."""
    return {
        "shard_number": settings.shards,
        "replication_factor": settings.replicas,
        "write_consistency_factor": settings.write_replicas,
        "hnsw_config": graph_of(settings),
        "quantization_config": quantization_of(settings),
    }


def changes(settings: Qdrant, info: models.CollectionInfo) -> dict[str, Any]:
    """The arguments of ``update_collection`` if a collection was made differently; empty if nothing needs changing.

    The number of shards is set at creation and cannot be changed.
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
    """Field → the index that queries by this field need."""
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
