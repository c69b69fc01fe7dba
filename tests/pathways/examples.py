"""Small GPML files of our own, one a version, that say the same; and pathways made of them."""

from __future__ import annotations

from collections.abc import Sequence

from trialyst.pathways import Pathway, parse_gpml
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.store import to_entry

__all__ = ["GPML_2013", "GPML_2021", "catalog_of", "gpml"]

GPML_2013 = """<?xml version="1.0" encoding="UTF-8"?>
<Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="Invented signaling" Version="WP9001_r77"
    Author="[Ann, Bob]" Last-Modified="20260102030405" Organism="Homo sapiens">
  <Comment Source="WikiPathways-description">A made-up pathway.</Comment>
  <Graphics BoardWidth="400.0" BoardHeight="300.0" />
  <DataNode TextLabel="TNF" GraphId="n1" Type="GeneProduct">
    <BiopaxRef>c1</BiopaxRef>
    <Graphics CenterX="50.0" CenterY="60.0" Width="70.0" Height="20.0" Color="ff0000" />
    <Xref Database="Entrez Gene" ID="7124" />
  </DataNode>
  <DataNode TextLabel="TNFR1" GraphId="n2" Type="Protein" GroupRef="g">
    <Graphics CenterX="150.0" CenterY="60.0" Width="70.0" Height="20.0" />
    <Xref Database="Uniprot-TrEMBL" ID="P19438" />
  </DataNode>
  <DataNode TextLabel="TRADD" GraphId="n3" Type="Protein" GroupRef="g">
    <Graphics CenterX="150.0" CenterY="80.0" Width="70.0" Height="20.0" />
    <Xref Database="HGNC" ID="TRADD" />
  </DataNode>
  <DataNode TextLabel="Glucose" GraphId="n4" Type="Metabolite">
    <Graphics CenterX="50.0" CenterY="200.0" Width="70.0" Height="20.0" />
    <Xref Database="ChEBI" ID="CHEBI:17234" />
  </DataNode>
  <DataNode TextLabel="Glucose-6-P" GraphId="n5" Type="Metabolite">
    <Graphics CenterX="250.0" CenterY="200.0" Width="70.0" Height="20.0" />
    <Xref Database="HMDB" ID="HMDB01401" />
  </DataNode>
  <State GraphRef="n1" TextLabel="P" GraphId="s1">
    <Graphics RelX="1.0" RelY="-1.0" Width="15.0" Height="15.0" ShapeType="Oval" />
    <Xref Database="" ID="" />
  </State>
  <Interaction GraphId="i1">
    <BiopaxRef>c1</BiopaxRef>
    <Graphics ConnectorType="Elbow">
      <Point X="85.0" Y="60.0" GraphRef="n1" RelX="1.0" RelY="0.0" />
      <Point X="115.0" Y="60.0" GraphRef="gg" RelX="-1.0" RelY="0.0" ArrowHead="mim-binding" />
    </Graphics>
    <Xref Database="" ID="" />
  </Interaction>
  <Interaction GraphId="i2">
    <Graphics>
      <Point X="85.0" Y="200.0" GraphRef="n4" ArrowHead="Arrow" />
      <Point X="215.0" Y="200.0" GraphRef="n5" ArrowHead="mim-conversion" />
      <Anchor Position="0.4" Shape="None" GraphId="a1" />
    </Graphics>
    <Xref Database="Rhea" ID="17825" />
  </Interaction>
  <Interaction GraphId="i3">
    <Graphics>
      <Point X="150.0" Y="200.0" GraphRef="a1" ArrowHead="TBar" />
      <Point X="150.0" Y="100.0" GraphRef="n3" />
    </Graphics>
    <Xref Database="" ID="" />
  </Interaction>
  <Interaction GraphId="i4">
    <Graphics>
      <Point X="0.0" Y="0.0" GraphRef="n1" />
      <Point X="9.0" Y="9.0" ArrowHead="Arrow" />
    </Graphics>
    <Xref Database="" ID="" />
  </Interaction>
  <Label TextLabel="Cytosol" GraphId="l1">
    <Graphics CenterX="300.0" CenterY="20.0" Width="90.0" Height="25.0" FontSize="14" />
  </Label>
  <Group GroupId="g" GraphId="gg" Style="Complex" />
  <InfoBox CenterX="0.0" CenterY="0.0" />
  <Biopax>
    <bp:PublicationXref xmlns:bp="http://www.biopax.org/release/biopax-level3.owl#"
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:id="c1">
      <bp:ID>12345</bp:ID><bp:DB>PubMed</bp:DB><bp:TITLE>A title</bp:TITLE>
      <bp:SOURCE>A journal</bp:SOURCE><bp:YEAR>2020</bp:YEAR><bp:AUTHORS>Doe J</bp:AUTHORS>
    </bp:PublicationXref>
    <bp:openControlledVocabulary xmlns:bp="http://www.biopax.org/release/biopax-level3.owl#">
      <bp:TERM>signaling pathway</bp:TERM><bp:ID>PW:0000003</bp:ID>
      <bp:Ontology>Pathway Ontology</bp:Ontology>
    </bp:openControlledVocabulary>
  </Biopax>
</Pathway>
"""

GPML_2021 = """<?xml version="1.0" encoding="UTF-8"?>
<Pathway xmlns="http://pathvisio.org/GPML/2021" title="Invented signaling" organism="Homo sapiens"
    source="WikiPathways" version="WP9001_r77">
  <Description>A made-up pathway.</Description>
  <Authors><Author name="Ann" /><Author name="Bob" /></Authors>
  <AnnotationRef elementRef="t1" />
  <Graphics boardWidth="400.0" boardHeight="300.0" />
  <DataNodes>
    <DataNode elementId="n1" textLabel="TNF" type="GeneProduct">
      <Xref identifier="7124" dataSource="ncbigene" />
      <States>
        <State elementId="s1" textLabel="P" type="ProteinModification">
          <Graphics relX="1.0" relY="-1.0" width="15.0" height="15.0" shapeType="Oval" />
        </State>
      </States>
      <Graphics centerX="50.0" centerY="60.0" width="70.0" height="20.0" textColor="ff0000" />
      <CitationRef elementRef="c1" />
    </DataNode>
    <DataNode elementId="n2" textLabel="TNFR1" type="Protein" groupRef="gg">
      <Xref identifier="P19438" dataSource="uniprot" />
      <Graphics centerX="150.0" centerY="60.0" width="70.0" height="20.0" />
    </DataNode>
    <DataNode elementId="n3" textLabel="TRADD" type="Protein" groupRef="gg">
      <Xref identifier="TRADD" dataSource="hgnc.symbol" />
      <Graphics centerX="150.0" centerY="80.0" width="70.0" height="20.0" />
    </DataNode>
    <DataNode elementId="n4" textLabel="Glucose" type="Metabolite">
      <Xref identifier="CHEBI:17234" dataSource="chebi" />
      <Graphics centerX="50.0" centerY="200.0" width="70.0" height="20.0" />
    </DataNode>
    <DataNode elementId="n5" textLabel="Glucose-6-P" type="Metabolite">
      <Xref identifier="HMDB0001401" dataSource="hmdb" />
      <Graphics centerX="250.0" centerY="200.0" width="70.0" height="20.0" />
    </DataNode>
  </DataNodes>
  <Interactions>
    <Interaction elementId="i1">
      <Waypoints>
        <Point elementId="p1" arrowHead="Undirected" x="85.0" y="60.0" elementRef="n1" />
        <Point elementId="p2" arrowHead="Binding" x="115.0" y="60.0" elementRef="gg" />
      </Waypoints>
      <Graphics connectorType="Elbow" />
      <CitationRef elementRef="c1" />
    </Interaction>
    <Interaction elementId="i2">
      <Xref identifier="17825" dataSource="rhea" />
      <Waypoints>
        <Point elementId="p3" arrowHead="Directed" x="85.0" y="200.0" elementRef="n4" />
        <Point elementId="p4" arrowHead="Conversion" x="215.0" y="200.0" elementRef="n5" />
        <Anchor elementId="a1" position="0.4" shapeType="None" />
      </Waypoints>
      <Graphics />
    </Interaction>
    <Interaction elementId="i3">
      <Waypoints>
        <Point elementId="p5" arrowHead="Inhibition" x="150.0" y="200.0" elementRef="a1" />
        <Point elementId="p6" arrowHead="Undirected" x="150.0" y="100.0" elementRef="n3" />
      </Waypoints>
      <Graphics />
    </Interaction>
    <Interaction elementId="i4">
      <Waypoints>
        <Point elementId="p7" arrowHead="Undirected" x="0.0" y="0.0" elementRef="n1" />
        <Point elementId="p8" arrowHead="Directed" x="9.0" y="9.0" />
      </Waypoints>
      <Graphics />
    </Interaction>
  </Interactions>
  <Labels>
    <Label elementId="l1" textLabel="Cytosol">
      <Graphics centerX="300.0" centerY="20.0" width="90.0" height="25.0" fontSize="14" />
    </Label>
  </Labels>
  <Groups><Group elementId="gg" type="Complex" /></Groups>
  <Annotations>
    <Annotation elementId="t1" value="signaling pathway" type="Ontology">
      <Xref identifier="0000003" dataSource="pw" />
    </Annotation>
  </Annotations>
  <Citations>
    <Citation elementId="c1"><Xref identifier="12345" dataSource="pubmed" /></Citation>
  </Citations>
</Pathway>
"""


def gpml(
    number: int,
    name: str,
    *,
    organism: str = "Homo sapiens",
    genes: Sequence[tuple[str, str]] = (),
    description: str = "",
    modified: str = "20260101000000",
) -> bytes:
    """Write a GPML file; genes are pairs of a label and an Entrez id."""
    nodes = "".join(
        f'<DataNode TextLabel="{label}" GraphId="n{at}" Type="GeneProduct">'
        f'<Graphics CenterX="1" CenterY="1" Width="1" Height="1" />'
        f'<Xref Database="Entrez Gene" ID="{entrez}" /></DataNode>'
        for at, (label, entrez) in enumerate(genes)
    )
    return (
        '<Pathway xmlns="http://pathvisio.org/GPML/2013a" '
        f'Name="{name}" Version="WP{number}_r1" Organism="{organism}" Last-Modified="{modified}">'
        f'<Comment Source="WikiPathways-description">{description}</Comment>{nodes}</Pathway>'
    ).encode()


def catalog_of(*files: bytes) -> Catalog:
    """Hold the pathways of some GPML files in memory."""
    pathways: list[Pathway] = [parse_gpml(file) for file in files]
    return Catalog.of(map(to_entry, pathways), stamp="test")
